// `cradle statement-key`: the fingerprint of the key that an account signs with, to be told to who checks statements.
import { createPrivateKey } from 'node:crypto'
import { findAccountByName } from '../postgres/accounts.ts'
import { statementKeyOf } from '../postgres/statement-keys.ts'
import { signingKeyOf } from '../statements/sign.ts'
import { print, withDatabase } from './with-database.ts'

export async function statementKeyCommand(options: {
  readonly account: string
  readonly json?: boolean
}): Promise<void> {
  const { privateKey, createdAt } = await withDatabase(async ({ pool }) => {
    const accountId = await findAccountByName(pool, options.account)
    if (accountId === null) throw new Error(`There is no account "${options.account}"; see cradle accounts list`)
    return statementKeyOf(pool, accountId)
  })
  const key = signingKeyOf(createPrivateKey({ key: privateKey, format: 'der', type: 'pkcs8' }))
  print(options.json ? JSON.stringify({ ...key, created_at: createdAt.toISOString() }) : key.fingerprint)
}
