// Modes of transport that a table leaves out: the id of a transportation tells its mode, and any other is refused.
import type { ReferenceData } from '../engine/reference/reference-data.ts'
import type { FileOrder } from '../spreadsheets/file-order.ts'

interface Leg {
  readonly type?: unknown
  readonly config: { readonly transportation_id?: unknown; readonly transportation_mode?: unknown }
}

/** Of a transportation that nobody knows; an order with one is refused for that. */
const UNKNOWN = 'unknown'

/** The body of an order, with the mode of each leg. Orders in JSON are as POST takes them, and left as they are. */
export function inferTransportModes({ body, table }: FileOrder, { transports }: ReferenceData): unknown {
  if (body === null || (table.format === 'jsonl' && table.layout === 'orders')) return body
  const { items } = body as { readonly items: readonly Leg[] }
  if (!items.some(lacksMode)) return body
  const modeOf = ({ config: { transportation_id: id } }: Leg) => transports.get(String(id))?.mode ?? UNKNOWN
  const filled = items.map((item) =>
    lacksMode(item) ? { ...item, config: { ...item.config, transportation_mode: modeOf(item) } } : item,
  )
  return { ...body, items: filled }
}

const lacksMode = ({ type, config }: Leg): boolean =>
  type === 'transportation' && config.transportation_mode === undefined
