// The contracts and certificates of an erased customer: they get its new id, and lose the texts that name it.
import type { Connection } from '../transaction.ts'
import type { CustomerKey } from './customer-records.ts'
import { isNamedIn } from './import-traces.ts'
import { randomId } from './pseudonyms.ts'

type Body = Readonly<Record<string, unknown>>

interface InstrumentRow {
  readonly figure_id: string
  readonly version: number
  readonly body: Body
}

/** In place of a text that named the customer: some of them must not be missing. */
const ERASED = 'erased'

/** What was written freely. The others have values of a fixed form, which a customer may be called like, too. */
const FREE_TEXTS: ReadonlySet<string> = new Set(['source_title', 'source_publisher', 'source_url', 'licence', 'note'])

/**
 * Renames the customer in all versions of its electricity instruments, so that its inventory stays as it was.
 * @param names of the customer, its orders and devices that are erased
 */
export async function renameInstruments(
  connection: Connection,
  { accountId, customerId }: CustomerKey,
  newId: string,
  names: ReadonlySet<string>,
): Promise<void> {
  const { rows } = await connection.query<InstrumentRow>(
    `select figure_id, version, body from account_figures
    where account_id = $1 and kind = 'instrument' and body ->> 'customer_id' = $2`,
    [accountId, customerId],
  )
  if (rows.length === 0) return
  await connection.query(
    `update account_figures set body = renamed.body
    from unnest($2::text[], $3::integer[], $4::jsonb[]) as renamed (figure_id, version, body)
    where account_id = $1 and kind = 'instrument' and account_figures.figure_id = renamed.figure_id
      and account_figures.version = renamed.version`,
    [
      accountId,
      rows.map(({ figure_id: id }) => id),
      rows.map(({ version }) => version),
      rows.map(({ body }) => JSON.stringify({ ...withoutNames(body, names), customer_id: newId })),
    ],
  )
  await renameIds(connection, accountId, new Set(rows.map(({ figure_id: id }) => id)), names)
}

const withoutNames = (body: Body, names: ReadonlySet<string>): Body =>
  Object.fromEntries(
    Object.entries(body).map(([name, value]) => {
      const isNamed = FREE_TEXTS.has(name) && isNamedIn(JSON.stringify(value), names)
      return [name, isNamed ? ERASED : value]
    }),
  )

/** A name as it may be part of an id: in small letters, with hyphens between its words. */
const asId = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]+/g, '-')

/** All versions of an instrument get one new id. */
async function renameIds(
  connection: Connection,
  accountId: number,
  ids: ReadonlySet<string>,
  names: ReadonlySet<string>,
): Promise<void> {
  const spelled = new Set([...names].map(asId))
  const named = [...ids].filter((id) => isNamedIn(JSON.stringify(id), spelled))
  await connection.query(
    `update account_figures set figure_id = renamed.new_id
    from unnest($2::text[], $3::text[]) as renamed (old_id, new_id)
    where account_id = $1 and kind = 'instrument' and figure_id = renamed.old_id`,
    [accountId, named, named.map(() => randomId('instrument').replace('_', '-'))],
  )
}
