// Wrong keys by the thousand: whether the time of a refusal tells how wrong a key is, and what many of them come to.
import { pick, randomFrom } from '../../scripts/random-orders.ts'
import { checksumOf } from '../../src/postgres/accounts.ts'
import { exchange } from '../raw-http.ts'
import type { Keys } from './build-request.ts'
import { UNKNOWN_KEY, type Subject } from './subject.ts'

const PATH = '/api/packagings'
const PREFIX = 'cradle_'
const RANDOM_CHARACTERS = 32
/** Of each kind this part is kept: what took longer waited for something else. */
const KEPT = 0.9

export interface Timing {
  readonly kind: string
  readonly requests: number
  readonly meanMs: number
  /** Welch's t against the first kind. */
  readonly t: number
}

/** Sends wrong keys of all kinds, one request at a time, in an order that is drawn: what comes before counts, too. */
export async function timeWrongKeys(
  { address }: Subject,
  { own, wrong }: Keys,
  rounds: number,
): Promise<readonly Timing[]> {
  const random = randomFrom(rounds)
  const [expired, revoked] = wrong
  const kinds: Readonly<Record<string, string>> = {
    'first character wrong': withOther(own, 0),
    'last character wrong': withOther(own, RANDOM_CHARACTERS - 1),
    'all characters wrong': UNKNOWN_KEY,
    revoked: revoked!,
    expired: expired!,
  }
  const names = Object.keys(kinds)
  const times = new Map<string, number[]>(names.map((kind) => [kind, []]))
  for (let sent = 0; sent < rounds * names.length; sent += 1) {
    const kind = pick(random, names)
    const startedAt = performance.now()
    await exchange(address, PATH, { headers: { 'x-api-key': kinds[kind]! } })
    times.get(kind)!.push(performance.now() - startedAt)
  }
  const kept = [...times].map(
    ([kind, each]) => [kind, each.sort((a, b) => a - b).slice(0, each.length * KEPT)] as const,
  )
  const first = momentsOf(kept[0]![1])
  return kept.map(([kind, each]) => {
    const moments = momentsOf(each)
    const deviation = Math.sqrt(first.variance / first.count + moments.variance / moments.count)
    return { kind, requests: times.get(kind)!.length, meanMs: moments.mean, t: (moments.mean - first.mean) / deviation }
  })
}

/** The same key with another character at one place, and the checksum of that. */
function withOther(key: string, at: number): string {
  const text = key.slice(0, PREFIX.length + RANDOM_CHARACTERS)
  const place = PREFIX.length + at
  const other = text.slice(0, place) + (text[place] === 'a' ? 'b' : 'a') + text.slice(place + 1)
  return other + checksumOf(other)
}

function momentsOf(values: readonly number[]) {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  return { mean, variance: squares / (values.length - 1), count: values.length }
}

export interface BruteForce {
  readonly sent: number
  readonly unauthorized: number
  readonly toldToStop: number
  /** Requests with valid keys meanwhile, and how many were served. */
  readonly valid: number
  readonly served: number
  readonly memoryMb: readonly [before: number, after: number]
}

const VALID_EVERY = 100
/** On the loopback as well, and none of the other requests comes from there. */
const GUESSER = '127.0.0.66'

/** Guesses keys from one address, with a valid one between them now and then. */
export async function guessKeys(subject: Subject, { own }: Keys, count: number): Promise<BruteForce> {
  const before = subject.memoryMb()
  const send = async (key: string) =>
    (await exchange(subject.address, PATH, { headers: { 'x-api-key': key }, from: GUESSER })).status
  const counts = { unauthorized: 0, toldToStop: 0, valid: 0, served: 0 }
  for (let at = 0; at < count; at += 1) {
    const text = PREFIX + String(at).padStart(RANDOM_CHARACTERS, '0')
    const status = await send(text + checksumOf(text))
    if (status === 401) counts.unauthorized += 1
    if (status === 429) counts.toldToStop += 1
    if (at % VALID_EVERY !== 0) continue
    counts.valid += 1
    if ((await send(own)) === 200) counts.served += 1
  }
  return { sent: count, ...counts, memoryMb: [before, subject.memoryMb()] }
}
