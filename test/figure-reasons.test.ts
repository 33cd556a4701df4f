// Figures of the inventory of electricity over HTTP: what moves by more than 20 % is stored with a reason or refused.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientOf } from './electricity-client.ts'
import type { Json } from './document-check.ts'
import { startService } from './service.ts'

const service = await startService()

const TOLD = { source_title: 'Mix', source_publisher: 'Example' }

interface Fault {
  readonly path: string
  readonly code: string
  readonly message: string
}

const faultsOf = (text: string): readonly Fault[] => (JSON.parse(text) as { readonly details: Fault[] }).details
const briefly = (text: string): readonly string[] => faultsOf(text).map(({ path, code }) => `${path} ${code}`)

for (const [path, member] of [
  ['/api/residual-mixes', 'factor_kg_co2e_per_kwh'],
  ['/api/grid-losses', 'share'],
] as const)
  test(`${path}: a year that is far from the one before is refused until it has a reason, which is shown`, async () => {
    const own = await clientOf(service, `reasons of ${path}`)
    const put = (year: number, value: number, more: Json = {}) =>
      own.ask('PUT', `${path}/DE-${year}`, JSON.stringify({ ...TOLD, [member]: value, ...more }))
    assert.equal((await put(2023, 0.05)).status, 200)
    const refused = await put(2024, 0.5)
    assert.equal(refused.status, 400)
    assert.deepEqual(briefly(refused.text), ['/reason figure_needs_reason'])
    assert.match(faultsOf(refused.text)[0]!.message, /0\.5 differs by more than 20 % from 0\.05 of DE-2023/)
    assert.equal(((await own.get(path)) as unknown as readonly Json[]).length, 1, 'nothing is stored')
    const stored = await put(2024, 0.5, { reason: 'Nuclear plants closed' })
    assert.equal(stored.status, 200, stored.text)
    assert.equal((await own.get(`${path}/DE-2024`))['reason'], 'Nuclear plants closed')
    const again = await put(2024, 0.5)
    assert.deepEqual([again.status, (JSON.parse(again.text) as Json)['version']], [200, 1], 'the reason stays')
    assert.equal((await put(2024, 0.1)).status, 409, 'to replace a figure is another question')
  })

const TABLE = 'country,month,factor_kg_co2e_per_kwh,source_title,source_publisher,reason\n'

test('the rows of a file that need a reason are told by line, and nothing is stored', async () => {
  const own = await clientOf(service, 'reasons of a file')
  const file = `${TABLE}NO,2025-01,0.03,M,P,\nNO,2025-02,0.06,M,P,\nNO,2025-03,0.03,M,P,thaw\n`
  const refused = await own.table('/api/grid-months', file)
  assert.deepEqual([refused.status, briefly(refused.text)], [400, ['/3/reason figure_needs_reason']])
  assert.deepEqual(await own.get('/api/grid-months'), [])
  const stored = await own.table('/api/grid-months?reason=frost', file)
  assert.equal(stored.status, 200, stored.text)
  const listed = (await own.get('/api/grid-months')) as unknown as readonly Json[]
  assert.deepEqual(
    listed.map(({ id, reason }) => [id, reason]),
    [
      ['NO-2025-01', undefined],
      ['NO-2025-02', 'frost'],
      ['NO-2025-03', 'thaw'],
    ],
  )
  const other = await own.table('/api/electricity-instruments?reason=frost', 'id\na\n')
  assert.equal(other.status, 400, 'where nothing is compared, there is no such parameter')
})

const EMBER = 'Area,ISO 3 code,Date,Area type,Variable,Unit,Value\n'
const germany = (month: string, grams: number) => `Germany,DEU,${month}-01,Country,CO2 intensity,gCO2/kWh,${grams}\n`

test("Ember's file needs a reason for a month or a revision that is far, and is sent again as it grows", async () => {
  const own = await clientOf(service, 'reasons of Ember')
  const first = germany('2024-03', 400) + germany('2025-02', 390)
  const send = (rows: string, query = '') => own.table(`/api/grid-months${query}`, EMBER + rows)
  assert.equal((await send(first)).status, 200)
  const march = first + germany('2025-03', 200)
  assert.deepEqual(briefly((await send(march)).text), ['/4/reason figure_needs_reason'])
  const stored = await send(march, '?reason=windy')
  assert.deepEqual(JSON.parse(stored.text), { number_of_figures: 3, number_of_changes: 1 })
  const april = await send(march + germany('2025-04', 210))
  assert.deepEqual(JSON.parse(april.text), { number_of_figures: 4, number_of_changes: 1 }, 'March keeps its reason')
  assert.equal((await own.get('/api/grid-months/DE-2025-03'))['reason'], 'windy')

  const revised = germany('2024-03', 300)
  assert.equal((await send(revised)).status, 409)
  assert.deepEqual(briefly((await send(revised, '?new_versions=true')).text), ['/2/reason figure_needs_reason'])
  const explained = await send(revised, '?new_versions=true&reason=restated')
  assert.deepEqual(JSON.parse(explained.text), { number_of_figures: 1, number_of_changes: 1 })
  const { reason, version } = await own.get('/api/grid-months/DE-2024-03')
  assert.deepEqual([reason, version], ['restated', 2])
})
