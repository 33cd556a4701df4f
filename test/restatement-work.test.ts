// How a restatement is worked on: by few statements, with orders that change meanwhile, and when the database fails.
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, DatabaseError } from 'pg'
import type { ChangeRow } from '../src/ledger/restatement/change-rows.ts'
import { TOGETHER_MAX } from '../src/ledger/restatement/planned-orders.ts'
import { postRestatement } from '../src/ledger/restatement/post-restatement.ts'
import { createReleaseMixer } from '../src/ledger/restatement/release-mixer.ts'
import { previewRestatement } from '../src/ledger/restatement/work.ts'
import { postBeside } from '../src/create-import-context.ts'
import { findReleaseId, registerRelease } from '../src/postgres/dataset-releases.ts'
import { createOnSnapshot } from '../src/postgres/events.ts'
import { createRestatementJobs } from '../src/postgres/restatement-jobs.ts'
import { createReleaseCache } from '../src/reference-data/release-cache.ts'
import { keepLog } from './captured-log.ts'
import { changedRelease } from './changed-release.ts'
import type { Json } from './document-check.ts'
import { pathOf } from './order-client.ts'
import { BOX, VAN, laptop, orderOf } from './receipt-client.ts'
import { applied, createAccountClient, previewed, type Ask } from './restatement-client.ts'
import { startService, type Service } from './service.ts'
import { shippedReferenceData } from './shipped-book.ts'

const OTHER_VAN = {
  file: 'transports.csv',
  row: 'road-van-diesel',
  cells: { ttw_kg_co2e_per_tonne_km: '1.14905', factor_kg_co2e_per_tonne_km: '1.3' },
}

const log = keepLog('info')
let service: Service
let release: string
before(async () => {
  service = await startService({ logger: log.logger })
  // Its vans emit more, and it does not have the box.
  const { files } = shippedReferenceData()
  const without = (file: string) => files.get(file)!.replaceAll(/^.*\bcorrugated-board-recycled\b.*\n/gm, '')
  const boxless = Object.fromEntries(['packagings.csv', 'matching/synonyms.csv'].map((file) => [file, without(file)]))
  const { referenceData, files: changed } = changedRelease('2032.01', [OTHER_VAN], boxless)
  await registerRelease(service.pool, referenceData.release, referenceData.hash, changed)
  release = referenceData.release
})
after(() => service.stop())

const restate = async (ask: Ask, figures: Json): Promise<Json> => {
  const found = await applied(ask, await previewed(ask, { scope: {}, figures }))
  assert.equal(found['state'], 'applied')
  return found
}

const queryOf = (target: object) => Reflect.get(target, 'query') as (this: unknown, ...sent: unknown[]) => unknown

/** Statements by their names, while some work is done. */
async function statementsOf(work: () => Promise<unknown>): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>()
  const query = queryOf(Client.prototype)
  Client.prototype.query = function (this: Client, ...sent: unknown[]) {
    const { name = String(sent[0]).slice(0, 8) } = (sent[0] ?? {}) as { readonly name?: string }
    counts.set(name, (counts.get(name) ?? 0) + 1)
    return query.apply(this, sent)
  } as Client['query']
  try {
    await work()
  } finally {
    Client.prototype.query = query as Client['query']
  }
  return counts
}

/** Asked by the clients of this test, or on a timer: by the importer, which has no name for its claim, and the feed. */
const BESIDE = [
  /^(?:find-caller|find-restatement$|list-largest|update-restatement|claim-restatement|note-)/,
  /^(?:select a|fail-imports|delete-expired)|feed|webhook/,
]
const isBeside = (name: string): boolean => BESIDE.some((form) => form.test(name))

test('an undo of 50 orders takes as few statements as the restatement, none of them for a single order', async () => {
  const ask = await createAccountClient(service, 'many')
  const orders = Array.from({ length: TOGETHER_MAX }, (_, at) =>
    orderOf('acme', `m-${at}`, '2024-01-01', [laptop(`MANY-${at}`, 12), VAN]),
  )
  await ask('POST', '/api/customer-orders/batch', { orders })
  let first: Json = {}
  const there = await statementsOf(async () => void (first = await restate(ask, { release })))
  const back = await statementsOf(() => restate(ask, { before_restatement: first['restatement_id'] }))
  const total = (counts: ReadonlyMap<string, number>) =>
    [...counts].reduce((sum, [name, count]) => sum + (isBeside(name) ? 0 : count), 0)
  const told = JSON.stringify({ restatement: [...there], undo: [...back] })
  // Two plans, two previews, and three transactions of 20 orders, since the service is in use.
  assert.ok(back.get('find-replaced-revisions')! <= 7, told)
  assert.ok(total(back) <= total(there) + 10, told)
  assert.ok(total(back) <= 3 * TOGETHER_MAX, told)
})

/** What a restatement by the release needs, outside of the service. */
async function openWork(account: string) {
  const { pool } = service
  const { rows } = await pool.query<{ readonly account_id: number }>(
    'select account_id from accounts where name = $1',
    [account],
  )
  const accountId = rows[0]!.account_id
  const { referenceData } = service.server
  const shippedId = (await findReleaseId(pool, referenceData.release))!
  const releaseId = (await findReleaseId(pool, release))!
  const referenceDataOf = createReleaseCache(pool, [shippedId, referenceData])
  const work = {
    ...postBeside(pool, referenceDataOf),
    onSnapshot: createOnSnapshot(pool),
    releases: createReleaseMixer(referenceDataOf),
    candidates: createRestatementJobs(pool).candidates,
    onProgress: () => undefined,
    pace: { together: () => 2, pause: () => Promise.resolve(), rest: () => Promise.resolve() },
  }
  const restating = { accountId, recordedBy: null, isCapped: true, restatementId: 1, reason: 'test' }
  const task = { restating, scope: {}, figures: { releaseOf: () => Promise.resolve(releaseId), mappingOf: null } }
  return { accountId, work, task }
}

test('orders that become impossible to restate after the check are counted and named with their reason', async () => {
  const ask = await createAccountClient(service, 'changing')
  const sent = (id: string, ...more: Json[]) => orderOf('acme', id, '2024-01-01', [laptop(`C-${id}`, 12), VAN, ...more])
  for (const id of ['a', 'b', 'c', 'd']) await ask('POST', '/api/customer-orders', sent(id))
  const preview = await previewed(ask, { scope: {}, figures: { release } })
  const { accountId, work, task } = await openWork('changing')
  const { plan } = await previewRestatement(work, task, null)
  await ask('PUT', pathOf('acme', 'b'), sent('b', BOX))
  await service.pool.query(`update orders set status = 'reversed' where account_id = $1 and order_id = 'c'`, [
    accountId,
  ])
  const restatementId = preview['restatement_id'] as number
  const jobs = createRestatementJobs(service.pool)
  const told: ChangeRow[] = []
  // The second time as after a restart of the service: nothing is told twice.
  for (let times = 0; times < 2; times += 1) {
    const hasAll = await postRestatement(work, task, plan, async (keys, refused) => {
      told.push(...refused)
      await jobs.storeRefused({ accountId, restatementId }, keys, refused)
    })
    assert.ok(hasAll)
  }
  assert.deepEqual(
    told.slice(0, 2).map(({ orderId, problem }) => [orderId, problem!.code]),
    [
      ['b', 'order_unresolved'],
      ['c', 'order_gone'],
    ],
  )
  const path = `/api/restatements/${restatementId}`
  assert.equal((await ask('GET', path))['orders_refused'], 2)
  const { refused } = (await ask('GET', `${path}/changes?of=refused`)) as { refused: readonly Json[] }
  assert.deepEqual(
    refused.map((one) => [one['order_id'], (one['problem_message'] as Json)['code']]),
    [
      ['b', 'order_unresolved'],
      ['c', 'order_gone'],
    ],
  )
  assert.match(String(refused[0]!['problem']), /\/items\/2\/config\/packaging_id: /)
  assert.deepEqual((await ask('GET', `${path}/changes?of=problems`))['problems'], [])
  await service.pool.query(`update orders set status = 'created' where account_id = $1 and order_id = 'c'`, [accountId])
})

test('an order whose names are erased after the check is not told by them, and another plan has it', async () => {
  const ask = await createAccountClient(service, 'erased')
  for (const id of ['a', 'b'])
    await ask('POST', '/api/customer-orders', orderOf('Jane Doe', id, '2024-01-01', [laptop(`E-${id}`, 12), VAN]))
  const { work, task } = await openWork('erased')
  const told: ChangeRow[] = []
  const save = (_: unknown, refused: readonly ChangeRow[]) => Promise.resolve(void told.push(...refused))
  const first = await previewRestatement(work, task, null)
  await ask('POST', '/api/customers/Jane%20Doe/pseudonymise', {})
  assert.equal(await postRestatement(work, task, first.plan, save), false)
  const second = await previewRestatement(work, task, null)
  assert.equal(second.plan.numberOfOrders, 2)
  assert.equal(await postRestatement(work, task, second.plan, save), true)
  assert.equal((await previewRestatement(work, task, null)).plan.numberOfOrders, 0)
  assert.deepEqual(told, [])
})

test('a failure of the database is logged, shown with the restatement, and tried again', async () => {
  const ask = await createAccountClient(service, 'failing')
  await ask('POST', '/api/customer-orders', orderOf('acme', 'f', '2024-01-01', [laptop('F-1', 12), VAN]))
  const { pool } = service
  const query = queryOf(pool)
  const failure = Object.assign(new DatabaseError('terminating connection', 1, 'error'), { code: '57P01' })
  let failed = false
  pool.query = function (this: typeof pool, ...sent: unknown[]) {
    if (!failed && (sent[0] as { readonly name?: string }).name === 'find-orders-to-restate') {
      failed = true
      return Promise.reject(failure)
    }
    return query.apply(this, sent)
  } as typeof pool.query
  const { restatement_id: id } = await ask('POST', '/api/restatements', {
    scope: {},
    figures: { release },
    reason: 'test',
  })
  const path = `/api/restatements/${String(id)}`
  let found = await ask('GET', path)
  for (; found['interruptions'] === 0; found = await ask('GET', path)) await sleep(20)
  pool.query = query as typeof pool.query
  assert.deepEqual(
    [found['state'], found['interruptions'], (found['last_error'] as Json)['code']],
    ['previewing', 1, 'unavailable'],
  )
  assert.ok(log.lines.some((line) => JSON.stringify(line).includes('terminating connection')))
  // A further request wakes it.
  await previewed(ask, { scope: {}, figures: { release } })
  found = await ask('GET', path)
  assert.deepEqual([found['state'], found['interruptions']], ['previewed', 1])
})
