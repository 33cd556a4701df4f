// What is stored of restatements beside their orders: what they change in a customer's orders, and scopes that name it.
import type { Connection } from '../transaction.ts'
import { isNamedIn } from './import-traces.ts'

/**
 * Removes what restatements change in the orders of a customer. One that was to be applied is outdated: its preview and
 * its scope name what is erased. One that is being previewed is, too; one that is being applied, and whose scope names
 * it, fails: what was posted can be undone.
 */
export async function removeRestatementTraces(
  connection: Connection,
  accountId: number,
  customerId: string,
  names: ReadonlySet<string>,
): Promise<void> {
  await connection.query(
    `with removed as (
      delete from restated_emissions where account_id = $1 and customer_id = $2 returning restatement_id
    )
    update restatements set state = 'outdated'
    where account_id = $1 and (state = 'previewing'
      or state = 'previewed' and restatement_id in (select restatement_id from removed))`,
    [accountId, customerId],
  )
  const { rows } = await connection.query<{ readonly restatement_id: number; readonly scope: string }>(
    'select restatement_id, scope from restatements where account_id = $1',
    [accountId],
  )
  const named = rows.filter(({ scope }) => isNamedIn(scope, names)).map(({ restatement_id: id }) => id)
  await connection.query(
    `update restatements set scope = '{}', state = case state
      when 'applied' then state when 'applying' then 'failed' when 'failed' then state else 'outdated' end
    where account_id = $1 and restatement_id = any ($2)`,
    [accountId, named],
  )
}
