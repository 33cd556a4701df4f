// What the service says of files and orders that leave something open, or have every fault that a client can make.
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { ServiceMessage } from '../../console/src/service-texts/messages.ts'
import { invalidRequest } from '../../src/contract/errors.ts'
import { validatorOf } from '../../src/http/schemas/registry.ts'
import { OrderParams } from '../../src/contract/order-schema.ts'
import { detect, ordersOf, parseJson } from '../import-reading.ts'

const FILES = join(import.meta.dirname, '..', 'imports')

/** How files are read, what is wrong with them and with their rows: each sentence, with its code and values. */
export async function ofFiles(): Promise<readonly ServiceMessage[]> {
  const said: ServiceMessage[] = []
  const names = readdirSync(FILES).filter((name) => !name.endsWith('.json'))
  for (const [name, bytes] of [
    ...names.map((name) => [name, readFileSync(join(FILES, name))] as const),
    ...UNCLEAR.map((text) => ['x.xlsx', Buffer.from(text, 'latin1')] as const),
  ]) {
    const detected = await detect(bytes, {}, name)
    if (!detected.ok) said.push(...detected.problems)
    else {
      said.push(...detected.evidence.map(({ because, ...message }) => ({ message: because, ...message })))
      for (const { errors } of await ordersOf(bytes))
        said.push(...errors.map(({ reason, ...message }) => ({ message: reason, ...message })))
    }
  }
  return said
}

/** What an order is refused by that has every fault a client can make. */
export function* ofProblems(): Generator<ServiceMessage> {
  const validate = validatorOf(OrderParams)
  const names = ['customer_id', 'order_id', 'order_date', 'country', 'metadata', 'items']
  const wrong = [null, true, 7, -1, 1e30, '', 'x'.repeat(300), [], {}, ['a'], { a: 1 }]
  const configs = ['product', 'transportation', 'packaging', 'x'].flatMap((type) =>
    wrong.map((value) => ({
      type,
      config: { weight_kg: value, tenure_months: value, device_type: value, country: value },
    })),
  )
  const bodies = [
    ...wrong,
    ...names.flatMap((name) => wrong.map((value) => ({ [name]: value }))),
    { items: Array.from({ length: 1001 }, () => ({})), tenure_start: '2025-01-01', order_idd: 'x' },
    ...configs.map((item) => ({ items: [item, item] })),
  ]
  for (const text of BROKEN_JSON) {
    const json = parseJson(text)
    if (!json.ok) yield* json.problems
  }
  for (const body of bodies) {
    const { problems } = validate(body)
    yield* problems
    if (problems.length > 0) yield invalidRequest(problems).reason
  }
}

const BROKEN_JSON = [
  '{"a" 1}',
  '{"a":1,}',
  '[.5]',
  '[1',
  '01',
  'True',
  '{"a":"\\x"}',
  '{"a":1} x',
  '{a:1}',
  '"\t"',
  '[1 2]',
  '',
]

const HEADER = 'customer_id,order_id,order_date,tenure_start_date,type,product_id,serial_number,tenure_months,weight_kg'
/** Files that leave something open, or have something wrong. */
const UNCLEAR: readonly string[] = [
  '',
  ' ',
  '[]',
  '{}',
  '\n',
  `${HEADER}\n`,
  `${HEADER}\nc,o,2025-01-02,2025-01-02,product,p,s,12,"1,234"\n`,
  `${HEADER}\nc,o,2025-01-02,2025-01-02,product,p,s,12,1.5 kg\nc,,2025-02-30,x,product,p,s,12,0.1234567890123456789\n`,
  `${HEADER}\nc,o,01.02.2025,2025-01-02,product,p,s,12,1.5\nc,o,13.02.2025,,product,p,s\n`,
  `${HEADER}\nc,o,01/02/2025,01/02/2025,product,p,s,12,1.5\n`,
  `${HEADER}\nc,o,31/01/2025,01/31/2025,product,p,s,12,1.5\n`,
  `${HEADER}\nc,o,2025-01-02,2025-01-02,product,"p" x,s,12,1.5\nc,o,2025-01-03,2025-01-02,product,"p,s,12,1.5\n`,
  `${HEADER},menge,ende,Notiz,\nc,o,2025-01-02,2025-01-02,product,p,s,12,1.5,1,2,3,4\n`,
  `kunde,${HEADER.slice(12)},order_id\nc,o,2025-01-02,2025-01-02,product,p,s,12,1.5\n`,
  `${HEADER}\nc,M\xfcller,2025-01-02,2025-01-02,product,p,s,12,1.5\n`,
  '{"customer_id":"c","order_id":"o","type":"product","product_idd":"x","product_id":[1]}\nx\n',
]
