// Deletes all rows of accounts, in whatever table they are.
import { escapeIdentifier } from 'pg'
import { listTables } from '../backup/backup.ts'
import { deleteFeeds } from '../feed.ts'
import type { Connection } from '../transaction.ts'

/** Deletes from every table with an account_id; referenced tables come last. */
export async function deleteAll(connection: Connection, accountIds: readonly number[]): Promise<number> {
  const tables = (await listTables(connection)).filter(({ columns }) => columns.includes('account_id'))
  let count = 0
  for (const { name } of tables.toReversed()) {
    const text = `delete from ${escapeIdentifier(name)} where account_id = any ($1)`
    count += (await connection.query(text, [accountIds])).rowCount ?? 0
  }
  await deleteFeeds(connection, accountIds)
  return count
}

/** True if a process receives a file, works on an import, or reverses one; none can begin to before this ends. */
export async function hasImportUnderWay(connection: Connection, accountIds: readonly number[]): Promise<boolean> {
  const held = 'select lease_until > now() as "isHeld" from imports where account_id = any ($1) for update'
  const { rows } = await connection.query<{ readonly isHeld: boolean }>(held, [accountIds])
  return rows.some(({ isHeld }) => isHeld)
}
