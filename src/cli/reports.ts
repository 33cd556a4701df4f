// `cradle reports`: has what is kept for reports made again from the entries.
import { listAccounts } from '../postgres/accounts.ts'
import { resetRollups } from '../postgres/reporting/watermarks.ts'
import { withDatabase } from './with-database.ts'

/** Until a running service has folded it again, reports are read from the entries themselves: slower, and as right. */
export async function rebuildReportsCommand(options: { readonly account?: string }): Promise<void> {
  const { account } = options
  await withDatabase(async ({ pool }) => {
    const known = (await listAccounts(pool)).find(({ name }) => name === account)
    if (account !== undefined && !known) throw new Error(`There is no account "${account}"; see cradle accounts list`)
    await resetRollups(pool, known?.accountId ?? null)
  })
  process.stderr.write('Forgotten. A running service folds it again, beginning within seconds.\n')
}
