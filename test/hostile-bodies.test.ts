// Every body of the hostile corpus through HTTP: refused where it must be, at the right place, and nothing left behind.
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import { EXAMPLE_ORDER } from '../src/http/schemas/examples.ts'
import type { Json } from './document-check.ts'
import { buildHostileBodies } from './hostile/bodies.ts'
import type { HostileCase } from './hostile/hostile-order.ts'
import { SHIPPED_IDS, countRows, startService, type Service } from './service.ts'
import { assertNoLeak } from './assert-no-leak.ts'

let service: Service
before(async () => void (service = await startService()))
after(() => service.stop())

/** None takes so many times as long as a sound order of 1,000 devices: that tells what grows faster than bodies. */
const TIMES_MAX = 10
const LARGEST = '1000 items'

/** `ask` asserts that status and body are what the document says, and that the request id stands in both. */
async function send({ body, headers = {} }: HostileCase) {
  const sent = Object.entries({ 'content-type': 'application/json', ...headers }).filter(([, value]) => value !== '')
  return service.ask('/api/customer-orders', { method: 'POST', headers: Object.fromEntries(sent), body })
}

async function timed(hostile: HostileCase) {
  const startedAt = performance.now()
  const answer = await send(hostile)
  return { ...answer, took: performance.now() - startedAt }
}

async function faultsOf(hostile: HostileCase, usual: number): Promise<string | null> {
  const { status, text, took } = await timed(hostile)
  if (!hostile.expect.includes(status))
    return `${status} instead of ${hostile.expect.join(' or ')}: ${text.slice(0, 200)}`
  if (took > TIMES_MAX * usual) return `took ${(took / usual).toFixed(0)} times as long as ${LARGEST}`
  if (status >= 400 && text.length > 100_000) return `the answer has ${text.length} characters`
  assertNoLeak(text, hostile.name)
  if (status !== 400 || hostile.errorPath === undefined) return null
  const { details } = JSON.parse(text) as { readonly details: readonly Json[] }
  const isNamed = details.some(({ path }) => path === hostile.errorPath)
  return isNamed ? null : `${hostile.errorPath} is not among the paths of ${JSON.stringify(details).slice(0, 300)}`
}

test('every hostile body is answered as it must be, and none that is refused leaves anything behind', async () => {
  const bodies = buildHostileBodies(SHIPPED_IDS)
  assert.ok(bodies.length >= 1300)
  const faults: string[] = []
  const { took: usual } = await timed(bodies.find(({ name }) => name === LARGEST)!)
  let before = await countRows(service.pool)
  for (const hostile of bodies) {
    const fault = await faultsOf(hostile, usual)
    if (fault !== null) faults.push(`${hostile.name}: ${fault}`)
    const rows = await countRows(service.pool)
    if (hostile.stored === false && !isDeepStrictEqual(rows, before)) faults.push(`${hostile.name}: left rows behind`)
    before = rows
  }
  assert.deepEqual(faults, [])
})

test('after all of them the service serves, and a valid order still works', async () => {
  const answer = await service.post({ ...EXAMPLE_ORDER, order_id: 'after the storm' })
  assert.equal(answer.status, 200)
  assert.match(answer.text, /"total_emission":8\.840348,/)
})

test('hostile bodies without a key are 401, whatever they hold', async () => {
  for (const hostile of buildHostileBodies({ ...SHIPPED_IDS, run: 'keyless' }).filter((_, at) => at % 20 === 0)) {
    const { status } = await send({ ...hostile, headers: { ...hostile.headers, 'x-api-key': 'none' } })
    assert.equal(status, 401, hostile.name)
  }
})
