// The service that files share which only send requests: `npm test` starts one, and each file has accounts of its own.
import type { Pool } from 'pg'
import { SCOPES, createKey, ensureAccount, type Scope } from '../src/postgres/accounts.ts'
import { createPool } from '../src/postgres/pool.ts'
import { createAsk, readDocument, type AskedService } from './asked-service.ts'
import { atEndOfFile } from './end-of-file.ts'
import { closeConnections } from './raw-http.ts'
import { shippedReferenceData } from './shipped-book.ts'
import { SERVICE_VARIABLE, type SharedAddress } from './test-postgres.ts'

let pool: Pool | undefined
let files = 0
atEndOfFile(async () => {
  const ending = pool
  pool = undefined
  files += 1
  await ending?.end()
})

/** Without it, as where a file is run alone, one of this file's own. */
export async function sharedService(): Promise<AskedService> {
  const told = process.env[SERVICE_VARIABLE]
  if (told === undefined) return (await import('./service.ts')).startService()
  const { url, connection } = JSON.parse(told) as SharedAddress
  const own = (pool ??= createPool(connection, { connectionsMax: 1 }, () => undefined))
  const accountOf = (name: string) => ensureAccount(own, `${name} of ${process.pid} ${files}`)
  const keyOf = async (scopes: readonly Scope[] = SCOPES, expiresAt: Date | null = null, account = 'test') =>
    createKey(own, (await accountOf(account)).accountId, scopes, expiresAt)
  const document = await readDocument(url)
  const key = await keyOf()
  const stop = () => Promise.resolve(closeConnections())
  const server = {
    url,
    get referenceData() {
      return shippedReferenceData().referenceData
    },
  }
  return { server, document, key, createKey: keyOf, ...createAsk(url, document, key), stop }
}
