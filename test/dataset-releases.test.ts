// Which dataset release an order gets: the one that its account pinned, else the newest that is installed.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { createBaseReleaseFor } from '../src/ledger/account-release.ts'
import { SCOPES } from '../src/postgres/accounts.ts'
import { installRelease } from '../src/postgres/dataset-releases.ts'
import { hashContent, type DatasetFiles } from '../src/reference-data/files.ts'
import { loadReferenceData, nameOfRelease } from '../src/reference-data/load.ts'
import { postJson, readJson } from './asked-service.ts'
import { trueAfter } from './command.ts'
import type { Json } from './document-check.ts'
import { emberRelease } from './ember-releases.ts'
import { createImportClient } from './import-client.ts'
import { order } from './order-client.ts'
import { shippedReferenceData } from './shipped-book.ts'
import { startService, type Service } from './service.ts'

const [EARLY, LATE] = [emberRelease('2024.01'), emberRelease('2024.02')]
const [EARLY_NAME, LATE_NAME] = [nameOfRelease(EARLY), nameOfRelease(LATE)]
const shipped = shippedReferenceData()
const SHIPPED_NAME = shipped.referenceData.release

/** As long as a process may know the settings of an account by heart, and a little. */
const KNOWN_MS = 1_100

let service: Service
/** Another process of the same service. */
let beside: Service
const install = async (files: DatasetFiles) => {
  const name = nameOfRelease(files)
  const release = { version: name.split('-')[0]!, name, hash: hashContent(files), isNewest: false }
  return (await installRelease(service.pool, release, files)).outcome
}

before(async () => {
  service = await startService()
  beside = await startService({ beside: service })
  assert.deepEqual([await install(EARLY), await install(LATE)], ['installed', 'installed'])
})

const keyOf = (account: string) => service.createKey(SCOPES, null, account)
const put = async (key: string, release: string) => {
  const headers = { 'content-type': 'application/json', 'x-api-key': key }
  const body = JSON.stringify({ amortisation: 'capped', dataset_release: release })
  return service.ask('/api/account', { method: 'PUT', headers, body })
}

/** Sets the release of the account and waits until all processes know it. */
async function pin(key: string, release: string): Promise<void> {
  const { status, text } = await put(key, release)
  assert.equal(status, 200, text)
  assert.equal((JSON.parse(text) as Json)['dataset_release'], release)
  await reaches(key, release === 'latest' ? SHIPPED_NAME : release)
}

const reaches = async (key: string, release: string) => {
  for (const { ask } of [service, beside])
    await trueAfter(
      KNOWN_MS,
      async () => (await releaseOfLists(ask, key)) === release,
      `a process does not use ${release}`,
    )
}
const releaseOfLists = async (ask: Service['ask'], key: string) =>
  (await ask('/api/packagings', { headers: { 'x-api-key': key } })).headers['dataset-release']

/** The same of another model, whose sheet tells how much electricity it uses. */
const withGridUse = (one: Json): Json =>
  JSON.parse(JSON.stringify(one).replaceAll('air-13-m3-256gb', 'air-13-m2-256gb-2022')) as Json
const GERMAN = { country: 'DE', order_date: '2022-01-01', tenure_start_date: '2022-02-01' }
const send = (id: string, key: string, changes: Json = {}, path = '/api/customer-orders') =>
  postJson(service, path, withGridUse(order('c1', id, [`SN-${id}`], { ...GERMAN, ...changes })), key)

/** The figures of each line of an answer, in its sequence. */
const linesOf = (text: string): readonly (readonly [part: string, emission: number])[] =>
  [...text.matchAll(/"(\w+)":\{"description":[^{}]*?"emission":([\d.]+)/g)].map(([, part, emission]) => [
    part!,
    Number(emission),
  ])

test('new orders, estimates and matches take the release that is pinned; stored orders keep theirs', async () => {
  const key = await keyOf('pinned')
  const first = await send('before', key)
  assert.equal(first.headers['dataset-release'], SHIPPED_NAME)
  for (const release of [EARLY_NAME, LATE_NAME]) {
    await pin(key, release)
    const headers = { 'x-api-key': key }
    for (const { headers: answered, status, text } of [
      await send(`of-${release}`, key),
      await send(`estimate-${release}`, key, {}, '/api/estimates'),
      await service.ask('/api/match?product_name=MacBook', { headers }),
      await service.ask('/api/device-model-emissions?limit=1', { headers }),
      await service.ask('/api/transportations', { headers }),
      await postJson(
        service,
        '/api/customer-orders/batch',
        { orders: [order('c2', release, [`B-${release}`], GERMAN)] },
        key,
      ),
    ]) {
      assert.equal(status, 200, text)
      assert.equal(answered['dataset-release'], release)
    }
  }
  const replayed = await send('before', key)
  assert.deepEqual([replayed.headers['dataset-release'], replayed.text], [SHIPPED_NAME, first.text])
})

test('between two publications, use in 2022 moves by their ratio, and nothing else', async () => {
  const key = await keyOf('two-publications')
  const lines: ReturnType<typeof linesOf>[] = []
  for (const release of [EARLY_NAME, LATE_NAME]) {
    await pin(key, release)
    const { text } = await send('same', key, {}, '/api/estimates')
    lines.push(linesOf(text))
  }
  const [early, late] = lines as [(typeof lines)[0], (typeof lines)[0]]
  assert.ok(early.length > 1)
  const use = early.findIndex(([part]) => part === 'product_use')
  assert.deepEqual(early.toSpliced(use, 1), late.toSpliced(use, 1))
  const [[, old], [, current]] = [early[use]!, late[use]!]
  assert.ok(Math.abs(current - (old * 420.06) / 385.39) <= 0.000002, `${old} → ${current}`)
})

test('an import is made with the release of its account', async () => {
  const key = await keyOf('importing')
  await pin(key, EARLY_NAME)
  const done = await createImportClient(service, key).run(
    [
      'customer_id,order_id,order_date,tenure_start_date,product_id,serial_number,tenure_months,weight_kg,country',
      'c1,imported,2022-01-01,2022-02-01,apple-macbook-air-13-m3-256gb,IMP-1,12,1.24,DE',
    ].join('\n'),
  )
  assert.equal(done['orders_stored'], 1)
  const { headers } = await service.ask('/api/customer-orders/c1/imported', { headers: { 'x-api-key': key } })
  assert.equal(headers['dataset-release'], EARLY_NAME)
})

test('a device is identified by the release of its account', async () => {
  const key = await keyOf('identifying')
  await send('known', key)
  await pin(key, LATE_NAME)
  const event = { event_id: 'e1', type: 'identified', model_id: 'dell-latitude-3120' }
  const { status, headers } = await postJson(service, '/api/devices/SN-known/events', event, key)
  assert.equal(status, 200)
  assert.equal(headers['dataset-release'], `${LATE_NAME}, ${SHIPPED_NAME}`)
})

test('a release that is not there cannot be pinned, and the account stays as it is', async () => {
  const key = await keyOf('refused')
  await pin(key, EARLY_NAME)
  for (const name of ['2024.01', 'newest', '2024.01-00000000']) {
    const { status, text } = await put(key, name)
    assert.equal(status, 400)
    assert.match(text, /There is no dataset release \\".*\\"; GET/)
    assert.match(text, /"\/dataset_release"/)
  }
  const { text } = await service.ask('/api/account', { headers: { 'x-api-key': key } })
  assert.equal((JSON.parse(text) as Json)['dataset_release'], EARLY_NAME)
  await pin(key, 'latest')
})

test('releases are listed with their figures, and one of them as the newest', async () => {
  const { method_version: method, dataset_releases: all } = await readJson(service, '/api/dataset-releases')
  assert.match(String(method), /^\d\.\d$/)
  const listed = all as readonly Json[]
  assert.deepEqual(
    listed.map(({ id, is_newest: isNewest, parent }) => [id, isNewest, parent]),
    [
      [LATE_NAME, false, null],
      [EARLY_NAME, false, null],
      [SHIPPED_NAME, true, null],
    ],
  )
  const [late] = listed
  assert.equal(late!['content_sha256'], hashContent(LATE))
  assert.equal((late!['number_of_figures'] as Json)['grid_factor'], 8)
  assert.deepEqual(
    listed.map((release) => release['installed_at'] === null),
    [false, false, true],
  )
})

const changes = (from: string, query: string) => `/api/dataset-releases/${from}/changes${query}`

test('changes between two releases are listed page by page, by kind, and against the newest by default', async () => {
  const grid = await readJson(service, changes(EARLY_NAME, `?to=${LATE_NAME}`))
  assert.deepEqual(grid['number_of_changes'], { grid_factor: { added: 0, removed: 0, changed: 4 } })
  assert.deepEqual((grid['changes'] as readonly Json[])[1], {
    kind: 'grid_factor',
    key: 'grid_factor/DE/2022/factor_kg_co2e_per_kwh',
    change: 'changed',
    old: 0.38539,
    new: 0.42006,
    percent: 9,
  })
  const keys: unknown[] = []
  for (let path: string | undefined = changes(EARLY_NAME, `?kind=grid_factor,packaging&limit=100`); path;) {
    const { status, text, headers } = await service.ask(path)
    assert.equal(status, 200, text)
    const page = JSON.parse(text) as Json
    assert.equal(page['to'], SHIPPED_NAME)
    keys.push(...(page['changes'] as readonly Json[]).map(({ key }) => key))
    path = /<(.+)>/.exec(String(headers['link'] ?? ''))?.[1]
  }
  const total = shipped.files.get('grid-factors.csv')!.trimEnd().split('\n').length - 1
  assert.equal(keys.length, 2 * (total + 4))
  assert.deepEqual(keys, keys.toSorted())
  const none = await readJson(service, changes(EARLY_NAME, `?to=${LATE_NAME}&kind=packaging`))
  assert.deepEqual([none['number_of_changes'], none['changes']], [{}, []])
})

test('changes of releases that are not there are refused', async () => {
  assert.equal((await service.ask(changes('1999.01-00000000', ''))).status, 404)
  for (const query of ['?to=1999.01', '?kind=price', '?cursor=abc', '?limit=0'])
    assert.equal((await service.ask(changes(EARLY_NAME, query))).status, 400, query)
})

test('of the releases in memory, the one that was not used for longest is read again when it is needed', async () => {
  const read: number[] = []
  const dataOf = (releaseId: number) => {
    read.push(releaseId)
    return Promise.resolve(shipped.referenceData)
  }
  const releaseFor = createBaseReleaseFor({ ...shipped, releaseId: 1 }, dataOf, 2)
  const open = async (id: number | null) =>
    (await releaseFor({ pinnedReleaseId: id, installedReleaseId: null })).releaseId
  for (const id of [2, 3, 2, 4, 2, 3, null, 1]) assert.equal(await open(id), id ?? 1)
  assert.deepEqual(read, [2, 3, 4, 3])
})

/** The last test: the newest release of this database is another one afterwards. */
test('an installed release with a higher number is used without a restart, except where one is pinned', async () => {
  const [following, pinning] = [await keyOf('following'), await keyOf('pinning')]
  await pin(pinning, SHIPPED_NAME)
  await reaches(following, SHIPPED_NAME)
  const next = new Map(EARLY).set('RELEASE', '2099.01\n').set('PARENT', `${SHIPPED_NAME}\n`)
  assert.doesNotThrow(() => loadReferenceData(next))
  assert.equal(await install(next), 'installed')
  assert.equal(await install(next), 'installed-already')
  assert.equal(await install(new Map(next).set('PARENT', 'other-00000000')), 'taken')
  await reaches(following, nameOfRelease(next))
  assert.equal((await send('after', following)).headers['dataset-release'], nameOfRelease(next))
  assert.equal((await send('after', pinning)).headers['dataset-release'], SHIPPED_NAME)
  const { dataset_releases: all } = await readJson(service, '/api/dataset-releases')
  const [newest] = all as readonly Json[]
  assert.deepEqual([newest!['is_newest'], newest!['parent']], [true, SHIPPED_NAME])
})
