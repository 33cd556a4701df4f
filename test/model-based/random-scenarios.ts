// Recomputes random histories under random changes, and records the same histories changed in a fresh account: both
// come to the same years.
import assert from 'node:assert/strict'
import type { FastifyInstance } from 'fastify'
import fc from 'fast-check'
import type { Pool } from 'pg'
import { buildApp } from '../../src/app.ts'
import { rational } from '../../src/engine/numbers/rational.ts'
import type { ReferenceData, TransportMode } from '../../src/engine/reference/reference-data.ts'
import type { ScenarioChange } from '../../src/engine/scenario/changes.ts'
import { runCooperatively } from '../../src/concurrency/cooperative.ts'
import { serialNumbersEverInOrder } from '../../src/ledger/order-state.ts'
import { runScenario, type ScenarioResult } from '../../src/ledger/scenario/run-scenario.ts'
import { SCOPES, createKey, ensureAccount, setAmortisation } from '../../src/postgres/accounts.ts'
import { migrate, readMigrations } from '../../src/postgres/migrations.ts'
import { readScenario } from '../../src/postgres/scenario-records.ts'
import { READ_ONLY_SNAPSHOT, inTransaction } from '../../src/postgres/transaction.ts'
import { readCaseBook } from '../case-book.ts'
import { historyArbitrary, type History } from './history-arbitrary.ts'
import type { Fact } from './history-model.ts'
import { requestOf } from './history-requests.ts'

/** Two of them have their electricity stated or by type, so that countries matter. */
const MODELS = [
  'apple-macbook-air-13-m3',
  'hypothetical-notebook',
  'hypothetical-phone',
  'hypothetical-energy-star-notebook',
]
const COUNTRIES = ['XA', 'DE']
const TRANSPORTS: readonly { readonly id: string; readonly mode: TransportMode }[] = [
  { id: 'hypothetical-freighter', mode: 'air' },
  { id: 'hypothetical-ship', mode: 'sea' },
  { id: 'defra-2012-lorry', mode: 'road' },
]

interface Drawn {
  readonly history: History
  /** After how many accepted facts the books are closed, and until when; null for books that stay open. */
  readonly closing: { readonly after: number; readonly until: string } | null
  readonly changes: readonly ScenarioChange[]
}

const all = { deviceType: null }
const change = fc.oneof(
  fc.integer({ min: 1, max: 30 }).map((months): ScenarioChange => ({ type: 'tenure', months, ...all })),
  fc.record({ at: fc.nat(2), isByMode: fc.boolean() }).map(({ at, isByMode }): ScenarioChange => {
    const from = isByMode ? ({ mode: 'road', from: null } as const) : { mode: null, from: 'hypothetical-van' }
    return { type: 'transportation', ...from, to: TRANSPORTS[at]!.id, ...all }
  }),
  fc
    .constantFrom(null, 'hypothetical-board')
    .map((from): ScenarioChange => ({ type: 'packaging', from, to: 'hypothetical-blend', ...all })),
  fc
    .shuffledSubarray(MODELS, { minLength: 2, maxLength: 2 })
    .map(([from, to]): ScenarioChange => ({ type: 'model', from: from!, to: to!, ...all })),
  fc
    .record({ country: fc.constantFrom(null, ...COUNTRIES), grams: fc.constantFrom(0, 17, 333, 1_250) })
    .map(({ country, grams }): ScenarioChange => ({
      type: 'electricity',
      country,
      factor: rational(BigInt(grams), 1_000n),
      ...all,
    })),
)

export const drawScenarios = (seed: number, numRuns: number): readonly Drawn[] =>
  fc.sample(
    fc.record({
      history: historyArbitrary(MODELS),
      closing: fc.option(
        fc.record({ after: fc.nat(12), until: fc.constantFrom('2024-02-01', '2024-07-01', '2025-01-01') }),
        { freq: 1 },
      ),
      changes: fc.array(change, { minLength: 1, maxLength: 3 }),
    }),
    { seed, numRuns },
  )

export interface ScenarioCheck {
  readonly histories: number
  /** Of which the fresh account accepted every fact, so that both were compared. */
  readonly compared: number
  /** Of these, those in which the scenario changed a year. */
  readonly moved: number
}

/** @throws AssertionError with the history and the changes where the two differ */
export async function checkScenarios(pool: Pool, drawn: readonly Drawn[]): Promise<ScenarioCheck> {
  await migrate(pool, readMigrations())
  const book = readCaseBook('book.json')
  const app = await buildApp(pool, book, new Map(), false)
  const referenceDataOf = await booksOf(pool, book)
  let [compared, moved] = [0, 0]
  for (const [at, { history, closing, changes }] of drawn.entries()) {
    const first = await openAccount(pool, `first-${at}`, history)
    const facts = await sendAll(app, first.key, factsOf(history), closing, [])
    const before = await reportedYears(app, first.key)
    const result = await scenarioOf(pool, first.accountId, changes, referenceDataOf)
    const told = () => JSON.stringify({ at, changes, closing, history }, (_, value: unknown) => printable(value))
    assert.deepEqual(side(result, 'before'), before, `before: ${told()}`)
    assert.deepEqual(await reportedYears(app, first.key), before, 'nothing is stored')
    if (result.unchanged.some(({ reason }) => reason === 'event_contradicts')) continue
    const second = await openAccount(pool, `second-${at}`, history)
    const otherApp = await appWith(pool, book, changes, at)
    const accepted = await sendAll(otherApp ?? app, second.key, facts, closing, changes)
    if (accepted.length === facts.length) {
      compared += 1
      const after = await reportedYears(otherApp ?? app, second.key)
      assert.deepEqual(side(result, 'after'), after, `after: ${told()}`)
      if (result.years.some(({ difference }) => difference !== 0n)) moved += 1
    }
    await otherApp?.close()
  }
  await app.close()
  return { histories: drawn.length, compared, moved }
}

const printable = (value: unknown) => (typeof value === 'bigint' ? String(value) : value)

async function booksOf(pool: Pool, book: ReferenceData) {
  const { rows } = await pool.query<{ readonly release_id: number }>('select release_id from dataset_releases')
  const books = new Map(rows.map((row) => [row.release_id, book]))
  return (releaseId: number): ReferenceData => books.get(releaseId)!
}

async function openAccount(pool: Pool, name: string, { isCapped }: History) {
  const { accountId } = await ensureAccount(pool, name)
  await setAmortisation(pool, name, isCapped ? 'capped' : 'uncapped')
  return { accountId, key: await createKey(pool, accountId, SCOPES, null) }
}

const factsOf = ({ steps }: History): readonly Fact[] =>
  steps.flatMap(({ kind, fact }) => (kind === 'tell' ? fact : []))

/** @returns the facts that were accepted */
async function sendAll(
  app: FastifyInstance,
  key: string,
  facts: readonly Fact[],
  closing: Drawn['closing'],
  changes: readonly ScenarioChange[],
): Promise<readonly Fact[]> {
  const accepted: Fact[] = []
  const headers = { 'x-api-key': key, 'content-type': 'application/json', 'if-match': '*' }
  for (const fact of facts) {
    if (accepted.length === closing?.after) {
      const payload = JSON.stringify({ closed_until: closing.until })
      const { statusCode, body } = await app.inject({ method: 'POST', url: '/api/periods', headers, payload })
      assert.equal(statusCode, 200, body)
    }
    const { payload, ...request } = requestOf(fact, '', false)
    const body = changes.reduce(changedBody, withCountry(JSON.parse(payload) as Body))
    const { statusCode } = await app.inject({ ...request, headers, payload: JSON.stringify(body) })
    if (statusCode === 200) accepted.push(fact)
  }
  return accepted
}

interface Body {
  readonly customer_id?: string
  readonly type?: string
  readonly tenure_months?: number
  readonly model_id?: string
  readonly product_id?: string
  readonly items?: readonly { readonly type: string; readonly config: Readonly<Record<string, string | number>> }[]
}

const withCountry = (body: Body) =>
  body.items ? { ...body, country: body.customer_id === 'c0' ? COUNTRIES[0] : COUNTRIES[1] } : body

/** A fact as it would have been sent. */
function changedBody(body: Body, one: ScenarioChange): Body {
  switch (one.type) {
    case 'tenure':
      if (body.type === 'extended') return { ...body, tenure_months: body.tenure_months! + one.months }
      return withItems(body, 'product', (config) => ({
        ...config,
        tenure_months: Number(config['tenure_months']) + one.months,
      }))
    case 'transportation':
      return withItems(body, 'transportation', (config) => {
        const isMeant = one.mode ? config['transportation_mode'] === one.mode : config['transportation_id'] === one.from
        const { id, mode } = TRANSPORTS.find((transport) => transport.id === one.to)!
        return isMeant ? { ...config, transportation_id: id, transportation_mode: mode } : config
      })
    case 'packaging':
      return withItems(body, 'packaging', (config) =>
        one.from === null || config['packaging_id'] === one.from ? { ...config, packaging_id: one.to } : config,
      )
    case 'model': {
      const named = (id: string | undefined) => (id === one.from ? one.to : id)
      if (body.type === 'identified') return { ...body, model_id: named(body.model_id)! }
      if (body.type === 'swapped' && body.product_id !== undefined)
        return { ...body, product_id: named(body.product_id)! }
      return withItems(body, 'product', (config) => ({ ...config, product_id: named(String(config['product_id']))! }))
    }
    case 'electricity':
      return body
  }
}

const withItems = (
  body: Body,
  type: string,
  change: (config: Readonly<Record<string, string | number>>) => Readonly<Record<string, string | number>>,
): Body =>
  body.items
    ? {
        ...body,
        items: body.items.map((item) => (item.type === type ? { ...item, config: change(item.config) } : item)),
      }
    : body

/** A service of which the grids are those that the scenario states; null if it states none. */
async function appWith(pool: Pool, book: ReferenceData, changes: readonly ScenarioChange[], at: number) {
  const stated = changes.filter((one) => one.type === 'electricity')
  if (stated.length === 0) return null
  const grid = new Map(
    [...book.grid].map(([country, factors]) => {
      const last = stated.findLast((one) => one.country === null || one.country === country)
      return [country, last ? factors.map((one) => ({ ...one, factor: last.factor })) : factors] as const
    }),
  )
  const hash = book.hash.slice(0, -8) + String(at).padStart(8, '0')
  return buildApp(pool, { ...book, grid, release: `stated-${at}`, hash }, new Map(), false)
}

async function scenarioOf(
  pool: Pool,
  accountId: number,
  changes: readonly ScenarioChange[],
  referenceDataOf: (releaseId: number) => ReferenceData,
): Promise<ScenarioResult> {
  const records = await inTransaction(
    pool,
    (connection) =>
      readScenario(connection, {
        accountId,
        scope: { customerId: null, from: null, to: null },
        limits: { ordersMax: 1_000, entriesMax: 100_000 },
        serialsOf: serialNumbersEverInOrder,
      }),
    READ_ONLY_SNAPSHOT,
  )
  assert.ok(typeof records !== 'string', 'the scope is too large')
  return runCooperatively(runScenario(records, changes, referenceDataOf))
}

/** Milligrams by year, without years in which nothing counts. */
type Years = Readonly<Record<string, bigint>>

const side = ({ years }: ScenarioResult, of: 'before' | 'after'): Years =>
  Object.fromEntries(years.filter((one) => one[of] !== 0n).map((one) => [one.year, one[of]]))

/** What the report of emissions by tenure says. */
async function reportedYears(app: FastifyInstance, key: string): Promise<Years> {
  const url = '/api/reports/emissions?date_basis=tenure&group_by=month'
  const { statusCode, body } = await app.inject({ url, headers: { 'x-api-key': key } })
  assert.equal(statusCode, 200, body.slice(0, 300))
  const { groups } = JSON.parse(body) as { readonly groups: readonly { month: string; total_emission: number }[] }
  const years: Record<string, bigint> = {}
  for (const { month, total_emission: kilograms } of groups) {
    const year = Number(month.slice(0, 4))
    years[year] = (years[year] ?? 0n) + BigInt(Math.round(kilograms * 1e6))
  }
  return Object.fromEntries(Object.entries(years).filter(([, sum]) => sum !== 0n))
}
