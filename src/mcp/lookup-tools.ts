// The tools that look something up in the catalogue: the model of a product, and what an order may reference.
import type { Ask } from './api.ts'
import type { Json, Tool } from './tool.ts'
import { withUnits } from './units.ts'

const ENTRIES_USUAL = 10
const ENTRIES_MAX = 50

export const MATCH_DEVICE: Tool = {
  name: 'match_device',
  title: 'Match a device',
  description:
    'Returns the device model, or the fallback, whose footprint an order of this product would get, how it was ' +
    'matched, and other candidates with their scores. Use it before an order, when only a name or code of a product ' +
    'is known. Do not use it to estimate emissions (estimate_order) or to find a transport or packaging ' +
    '(find_transport_or_packaging). Example: {"product_name":"MacBook Air 13 M3 256 GB","weight_kg":1.24}. Limits: ' +
    'one product; product_name or product_id is needed; mappings of the account are not considered.',
  operation: 'matchProduct',
  parameters: ['product_name', 'brand', 'device_type', 'product_id', 'weight_kg'],
  isReadOnly: true,
  call: async (args, ask) => withUnits(JSON.parse((await ask('matchProduct', { query: args })).text)) as object,
}

export const FIND_TRANSPORT_OR_PACKAGING: Tool = {
  name: 'find_transport_or_packaging',
  title: 'Find a transport or packaging',
  description:
    'Finds the transports or packagings that an order may reference, with the id to use, the emission factor and its ' +
    'publisher. Use it to get a transportation_id or packaging_id, or to compare factors. Do not use it for devices ' +
    '(match_device). Example: {"kind":"transport","words":"van electric"}. Limits: entries that have all words in ' +
    'their id, name, mode, vehicle, material or region, in the sequence of the catalogue, ' +
    `${ENTRIES_USUAL} unless limit says more, at most ${ENTRIES_MAX}.`,
  operation: 'listTransportations',
  ownArguments: {
    kind: { type: 'string', enum: ['transport', 'packaging'], description: 'What to find.' },
    words: {
      type: 'string',
      minLength: 1,
      maxLength: 200,
      description: 'Words, in any case. Without it, all entries.',
    },
    limit: {
      type: 'integer',
      minimum: 1,
      maximum: ENTRIES_MAX,
      default: ENTRIES_USUAL,
      description: 'Entries to return.',
    },
  },
  required: ['kind'],
  isReadOnly: true,
  call: async ({ kind, words, limit = ENTRIES_USUAL }, ask) => {
    const found = (await entriesOf(String(kind), ask)).filter((entry) => hasWords(entry, words as string | undefined))
    return {
      kind,
      number_found: found.length,
      left_off: Math.max(0, found.length - Number(limit)),
      entries: withUnits(found.slice(0, Number(limit))),
    }
  },
}

/** In the contract, the member of both lists is named "packagings". */
async function entriesOf(kind: string, ask: Ask): Promise<readonly Json[]> {
  const { text } = await ask(kind === 'transport' ? 'listTransportations' : 'listPackagings')
  return (JSON.parse(text) as { readonly packagings: readonly Json[] }).packagings
}

const SEARCHED = ['transportation_id', 'packaging_id', 'name', 'transportation_mode', 'vehicle', 'material', 'region']

function hasWords(entry: Json, words = ''): boolean {
  const text = SEARCHED.map((name) => (entry[name] as string | undefined) ?? '')
    .join(' ')
    .toLowerCase()
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}
