// Why the figures of a device in the list are what they are; its own page has them chapter by chapter.
import type { Schemas } from '../api/client.ts'
import type { Explanation } from '../components/explanation.ts'
import type { Say } from '../language/language.tsx'
import type en from './messages.en.json'
import { KG } from '../emissions/kilograms.ts'

export type ListedFigure = 'put_in' | 'left' | 'total_emission'

export function explainListed(
  device: Schemas['ListedDevice'],
  figure: ListedFigure,
  say: Say<keyof typeof en>,
): Explanation {
  const { put_in: putIn, given_to_orders: given, unallocated_residual: kept, left } = device
  const input = (symbol: string, name: string, value: number) => ({ symbol, name, value, unit: KG, from: '' })
  const title = `${device.serial_number}: ${say(figure)}`
  if (figure === 'put_in') {
    return { title, value: putIn, unit: KG, notes: [say('putInNote', { name: device.name })], methodology: METHOD }
  }
  if (figure === 'total_emission') {
    const count = device.number_of_orders
    return { title, value: device.total_emission, unit: KG, notes: [say('totalNote', { count })], methodology: METHOD }
  }
  return {
    title,
    value: left,
    unit: KG,
    formula: `P − G${kept === 0 ? '' : ' − K'} = L`,
    inputs: [
      input('P', say('put_in'), putIn),
      input('G', say('charged'), given),
      ...(kept === 0 ? [] : [input('K', say('kept'), kept)]),
    ],
    methodology: METHOD,
  }
}

const METHOD = 'METHODOLOGY.md#ledger'
