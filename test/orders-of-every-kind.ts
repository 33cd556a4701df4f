// Orders of every kind, to which every kind of thing happened, in texts that spreadsheets could take for formulas.
import type { Json } from './document-check.ts'
import { order, type OrderClient } from './order-client.ts'

const HOSTILE = ['=1+1', '+cmd', '@SUM(A1)', 'a;=1;b', "'=x", '"q", <b>&amp;</b>', '😀 _x0041_', '--']
const VAN: Json = {
  type: 'transportation',
  config: {
    transportation_id: 'road-van-diesel',
    transportation_mode: 'road',
    distance_km: 123.25,
    weight_kg: 1.5,
    distance_basis: 'actual',
  },
}

export const ORDERS_POSTED = HOSTILE.length + 8

export async function postOfEveryKind({ post, tell, tellDevice }: OrderClient): Promise<void> {
  for (const [at, text] of HOSTILE.entries()) {
    const items = [...(order('', '', [`${text} A`, `${text} B`])['items'] as Json[]), VAN]
    await post(order(text, `${text} ${at}`, [], { items, country: 'DE', metadata: { [text]: text, team: `${at}` } }))
  }
  await post(order('bare', 'packaging alone', []))
  await post(order('bare', 'nothing', [], { items: [] }))
  await post(order('bare', 'van and package', [], { items: [VAN, VAN] }))
  for (const kind of ['cancelled', 'extended', 'returned', 'swapped', 'again'])
    await post(order('told', kind, [kind === 'again' ? 'D-returned' : `D-${kind}`, `E-${kind}`]))
  await tell('told', 'cancelled', { event_id: 'x1', type: 'cancelled', date: '2025-01-20' })
  await tell('told', 'extended', { event_id: 'x2', type: 'extended', tenure_months: 20 })
  await tell('told', 'returned', { event_id: 'x3', type: 'returned', date: '2025-05-17' })
  for (const [out, of] of [
    ['D-swapped', 'D-new'],
    ['D-new', 'D-newer'],
  ])
    await tell('told', 'swapped', {
      event_id: `x-${of}`,
      type: 'swapped',
      date: of === 'D-new' ? '2025-03-01' : '2025-04-01',
      serial_number: out,
      new_serial_number: of,
      weight_kg: 1.3,
    })
  await tellDevice('E-again', { event_id: 'x4', type: 'retired', date: '2026-06-01' })
}
