// A server for histories: one account that is charged as a history says, asked with JSON, answered in exact digits.
import { after } from 'node:test'
import type { ReferenceData } from '../src/engine/reference/reference-data.ts'
import { buildApp } from '../src/app.ts'
import { SCOPES, createKey, ensureAccount, setAmortisation, type Amortisation } from '../src/postgres/accounts.ts'
import { migrate, readMigrations } from '../src/postgres/migrations.ts'
import { freshDatabase } from './fresh-database.ts'

export interface Answered {
  readonly status: number
  readonly text: string
  /** Numbers are their own texts, so that a digit too many is seen. */
  readonly body: unknown
}

export interface AccountServer {
  send(method: 'GET' | 'POST', path: string, body?: unknown): Promise<Answered>
}

const stops: (() => Promise<void>)[] = []

export async function startAccountServer(book: ReferenceData, amortisation: Amortisation): Promise<AccountServer> {
  const { pool } = await freshDatabase()
  await migrate(pool, readMigrations())
  const app = await buildApp(pool, book, new Map(), false)
  stops.push(() => app.close())
  const { accountId } = await ensureAccount(pool, 'histories')
  await setAmortisation(pool, 'histories', amortisation)
  const key = await createKey(pool, accountId, SCOPES, null)
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  return { send: (method, path, body) => send(`${url}${path}`, key, method, body) }
}

async function send(address: string, key: string, method: string, body: unknown): Promise<Answered> {
  const response = await fetch(address, {
    method,
    headers: { 'x-api-key': key, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, text, body: JSON.parse(text, keepDigits) }
}

/** A number becomes its own text. ECMAScript hands it over since 2025; TypeScript does not know of it yet. */
const keepDigits = ((_: string, value: unknown, context: { readonly source: string }) =>
  typeof value === 'number' ? context.source : value) as (key: string, value: unknown) => unknown

after(async () => {
  await Promise.all(stops.map((stop) => stop()))
})
