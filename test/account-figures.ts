// Everything that reports and statements say of an account, to compare one history with another.
import assert from 'node:assert/strict'
import { SCOPES, createKey, ensureAccount, setAmortisation } from '../src/postgres/accounts.ts'
import type { Json } from './document-check.ts'
import type { Subject } from './model-based/history-check.ts'
import type { Fact } from './model-based/history-model.ts'
import { requestOf } from './model-based/history-requests.ts'
import { readStatement } from './statement-client.ts'

export async function openAccount(subject: Subject, name: string, isCapped: boolean) {
  const { accountId } = await ensureAccount(subject.pool, name)
  await setAmortisation(subject.pool, name, isCapped ? 'capped' : 'uncapped')
  return createKey(subject.pool, accountId, SCOPES, null)
}

const REPORTS = [
  'emissions?group_by=customer,month&date_basis=tenure',
  'emissions?group_by=month,part&date_basis=tenure',
  'emissions?group_by=model&date_basis=order',
  'emissions?group_by=month&date_basis=tenure&reporting_entity=lessor',
  'emissions?group_by=customer,year&date_basis=tenure&lease_type=finance',
  'quality',
]

const headersOf = (key: string) => ({ 'x-api-key': key, 'content-type': 'application/json', 'if-match': '*' })

/** Tells an account facts, each of which has to be accepted. */
export async function tellFacts({ app }: Subject, key: string, facts: readonly Fact[]): Promise<void> {
  for (const fact of facts) {
    const { statusCode, body } = await app.inject({ headers: headersOf(key), ...requestOf(fact, 'n-', false) })
    assert.equal(statusCode, 200, body)
  }
}

/** Without what names a time or an entry. @param facts which name the customers */
export async function figuresOf({ app }: Subject, key: string, facts: readonly Fact[]): Promise<unknown> {
  const headers = headersOf(key)
  const reports = await Promise.all(
    REPORTS.map(async (path) => {
      const { statusCode, body } = await app.inject({ url: `/api/reports/${path}`, headers })
      assert.equal(statusCode, 200, body)
      return { ...(JSON.parse(body) as Json), generated_at: null }
    }),
  )
  const customers = new Set(facts.flatMap((fact) => (fact.kind === 'order' ? [`n-${fact.customer}`] : [])))
  const statements: unknown[] = []
  for (const customer of customers) {
    for (const year of [2024, 2025, 2028]) {
      const { statement } = await readStatement(app, key, customer, year)
      const { by_month, by_part, summary, orders, devices } = statement
      const rentals = devices.map((one) => [
        one.serial_number,
        one.year,
        one.rentals.map(({ from, until }) => [from, until]),
      ])
      statements.push({
        customer,
        year,
        by_month,
        by_part,
        summary: { ...summary, corrections_emission: null },
        orders: orders.length,
        rentals,
      })
    }
  }
  return { reports, statements }
}
