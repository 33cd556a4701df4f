// The cases that every client of Cradle has to pass, run by the TypeScript client against a real service.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import * as library from '../../clients/typescript/src/client.ts'
import type { Answer, Listing } from '../../clients/typescript/src/answer.ts'
import type { Received } from '../../clients/typescript/src/request.ts'
import type { AskedService } from '../asked-service.ts'
import { sharedService } from '../shared-service.ts'

interface Expected {
  readonly status: number
  readonly members?: Readonly<Record<string, unknown>>
  readonly count?: Readonly<Record<string, number>>
  readonly headers?: Readonly<Record<string, string>>
  readonly file?: string
  readonly error?: string
  readonly family?: string
  readonly retryable?: boolean
  readonly details?: readonly string[]
  readonly suggestions?: readonly string[]
}

interface Case {
  readonly name: string
  readonly operation: string
  readonly key?: string
  readonly input?: unknown
  readonly list?: { readonly limit: number }
  readonly expect: Expected
  readonly until?: boolean
  readonly keep?: Readonly<Record<string, string>>
}

type Method = (input?: unknown) => Answer<unknown> | Listing<unknown, unknown>
type Outcome = Received<unknown> | library.CradleError

const WAIT_MS_MAX = 60_000
const WAIT_MS = 100

const { cases } = JSON.parse(readFileSync(join(import.meta.dirname, '..', '..', 'clients', 'cases.json'), 'utf8')) as {
  readonly cases: readonly Case[]
}

const kept = new Map<string, unknown>()
let service: AskedService
let accountKey: string
before(async () => {
  service = await sharedService()
  accountKey = await service.createKey(undefined, null, 'client cases')
})
after(() => service.stop())

/** Puts in what earlier cases kept: a text that is one reference becomes the value itself. */
function filled(value: unknown): unknown {
  if (typeof value === 'string') {
    const whole = /^\$\{(\w+)\}$/.exec(value)
    return whole ? kept.get(whole[1]!) : value
  }
  if (Array.isArray(value)) return value.map(filled)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, filled(one)]))
}

/** The value at a JSON pointer. */
const at = (document: unknown, pointer: string): unknown =>
  pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], document)

async function run({ operation, key, input, list }: Case): Promise<Outcome> {
  const own = key === undefined ? accountKey : (filled(key) as string)
  const client = library.createClient({ url: service.server.url, ...(own !== '' && { key: own }) })
  const method = (client as unknown as Readonly<Record<string, Method>>)[operation]!
  const answer = method(filled(input))
  try {
    if (!list) return await answer.withResponse()
    const data = await (answer as Listing<unknown, unknown>).toArray(list)
    return { data, response: new Response(null, { status: 200 }), requestId: undefined, attempts: 1 }
  } catch (error) {
    if (error instanceof library.CradleError) return error
    throw error
  }
}

async function check(outcome: Outcome, expected: Expected): Promise<void> {
  if (outcome instanceof library.CradleError) return checkError(outcome, expected)
  const { data, response } = outcome
  assert.equal(expected.error, undefined, `answered ${JSON.stringify(data).slice(0, 500)}`)
  assert.equal(response.status, expected.status)
  for (const [pointer, value] of Object.entries(expected.members ?? {}))
    assert.deepEqual(at(data, pointer), filled(value), `${pointer} of ${JSON.stringify(data).slice(0, 2000)}`)
  for (const [pointer, count] of Object.entries(expected.count ?? {}))
    assert.equal((at(data, pointer) as unknown[]).length, count, JSON.stringify(data).slice(0, 2000))
  for (const [name, value] of Object.entries(expected.headers ?? {})) assert.equal(response.headers.get(name), value)
  if (expected.file === undefined) return
  const text = await (data as Response).clone().text()
  assert.ok(text.startsWith(expected.file), text.slice(0, 200))
}

function checkError(error: library.CradleError, expected: Expected): void {
  const { code, status, name, retryable, details, suggestions, message } = error
  assert.deepEqual(
    { code, status, name, retryable },
    { code: expected.error, status: expected.status, name: expected.family, retryable: expected.retryable },
    `${message} ${JSON.stringify(details)}`,
  )
  assert.match(error.requestId ?? '', /^[\w-]{36}$/)
  if (expected.details)
    assert.deepEqual(details.map(({ path }) => path).toSorted(), expected.details.toSorted(), message)
  if (expected.suggestions) assert.deepEqual(suggestions, expected.suggestions)
}

for (const one of cases) {
  test(one.name, async () => {
    const last = Date.now() + WAIT_MS_MAX
    let outcome = await run(one)
    for (;;) {
      const wrong = await check(outcome, one.expect).then(
        () => null,
        (error: Error) => error,
      )
      if (!wrong) break
      if (!one.until || Date.now() > last) throw wrong
      await pause(WAIT_MS)
      outcome = await run(one)
    }
    if (outcome instanceof library.CradleError) return
    for (const [name, place] of Object.entries(one.keep ?? {})) {
      const [, header] = /^header:(.+)$/.exec(place) ?? []
      kept.set(name, header === undefined ? at(outcome.data, place) : outcome.response.headers.get(header))
    }
  })
}

test('every operation has a case', () => {
  const { paths } = service.document
  const ids = Object.values(paths).flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId))
  assert.deepEqual([...new Set(cases.map(({ operation }) => operation))].toSorted(), ids.toSorted())
  assert.ok(cases.length >= 200)
})
