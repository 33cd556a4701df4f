// Processes a batch: counts its items, records them in sequence where they share a key, and collects their results.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { QueueFull } from '../../concurrency/batcher.ts'
import { runByKeys } from '../../concurrency/run-by-keys.ts'
import { createSemaphore } from '../../concurrency/semaphore.ts'
import { BATCH_DATABASE_MS_MAX } from '../../config.ts'
import { API_ERRORS, ApiError, errorView, invalidRequest, type Unavailability } from '../../contract/errors.ts'
import { parseBatch } from '../../contract/parse-batch.ts'
import { logError } from '../../observability/logging.ts'
import type { Caller } from '../../postgres/accounts.ts'
import { ACCESS_MESSAGES, PROTOCOL_MESSAGES } from '../messages.ts'
import { parseQuery, setIgnoredHeader } from '../parameters.ts'
import { callerOf, rejectOverLimit, type AuthenticateOptions } from '../plugins/authentication.ts'
import { abortOnDisconnect } from '../plugins/client-abort.ts'

export interface ProcessingContext extends Pick<
  AuthenticateOptions,
  'spendRequest' | 'databaseMsMax' | 'withDeadline'
> {
  readonly unavailabilityOf: (error: unknown) => Unavailability | null
}

/** Batches that are processed concurrently, and how long a further one waits: requests of one item need room too. */
const BATCHES_AT_ONCE = { most: 4, ofOneMost: 2, waitMs: 5_000 }
/** Batches that are processed or wait, each of up to 1 MiB. */
const BATCHES_OPEN_MAX = 16
/** Problems in a response; after that, each item has only its first. */
const DETAILS_MAX = 10_000

type Json = Readonly<Record<string, unknown>>

/** An item whose content is valid, or the error that says what is not. */
export type Parsed<Sent> = { readonly sent: Sent; readonly ignored: readonly string[] } | ApiError

export interface BatchKind<Sent> {
  /** The member of the body that has the items. */
  readonly name: 'orders' | 'events'
  /** The members that identify an item in its result. */
  readonly ids: readonly string[]
  readonly parse: (caller: Caller, items: readonly unknown[], signal: AbortSignal) => Promise<readonly Parsed<Sent>[]>
  /** The keys of all items: items with a common key are recorded in sequence. */
  readonly keysOf: (caller: Caller, all: readonly Sent[]) => Promise<ReadonlyMap<Sent, readonly string[]>>
  readonly weightOf: (sent: Sent) => number
  readonly weightMax: number
  /** Stores an item, or finds it stored. @throws ApiError if it contradicts what is stored */
  readonly record: (caller: Caller, sent: Sent) => Promise<Recorded>
}

interface Recorded {
  readonly isReplayed: boolean
  /** Further members of the result. */
  readonly members: Json
  /** The dataset release that an order was estimated with. */
  readonly releaseId?: number
}

export type ProcessBatch = <Sent>(
  kind: BatchKind<Sent>,
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<{ readonly results: readonly Json[]; readonly releaseIds: ReadonlySet<number> }>

export function createProcessor(context: ProcessingContext): ProcessBatch {
  const takeTurn = createSemaphore('batches', BATCHES_AT_ONCE)
  let open = 0
  return async (kind, request, reply) => {
    parseQuery(request.query, {})
    const batch = parseBatch(request.body ?? {}, kind.name)
    if (!batch.ok) throw invalidRequest(batch.problems)
    const caller = callerOf(request)
    await countItems(context, caller, batch.items.length, reply)
    if (open >= BATCHES_OPEN_MAX) throw new QueueFull('Too many batches are waiting')
    open += 1
    try {
      const endTurn = await takeTurn(caller.accountId)
      try {
        return await processItems(context, kind, { caller, request, reply, ...batch })
      } finally {
        endTurn()
      }
    } finally {
      open -= 1
    }
  }
}

/** The request is already counted. @throws ApiError if the items exceed the limit of the key; nothing is stored then */
async function countItems(
  context: ProcessingContext,
  caller: Caller,
  count: number,
  reply: FastifyReply,
): Promise<void> {
  for (let counted = 1; counted < count; counted += 1) {
    const over = rejectOverLimit(caller, context, reply)
    if (over instanceof Promise ? await over : over)
      throw new ApiError('too_many_requests', ACCESS_MESSAGES.batch_exceeds_rate({ count }))
  }
}

interface Received {
  readonly caller: Caller
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly items: readonly unknown[]
  readonly ignored: readonly string[]
}

async function processItems<Sent>(
  context: ProcessingContext,
  kind: BatchKind<Sent>,
  { caller, request, reply, items, ignored }: Received,
) {
  const { databaseMsMax, withDeadline } = context
  const signal = abortOnDisconnect(reply.raw)
  const endsAt = performance.now() + BATCH_DATABASE_MS_MAX
  const parsed = await kind.parse(caller, items, signal)
  setIgnoredHeader(reply, [...ignored, ...ignoredOf(parsed, kind.name)])
  const keys = await kind.keysOf(
    caller,
    parsed.flatMap((one) => (one instanceof ApiError ? [] : [one.sent])),
  )
  const outcomes = await runByKeys(
    parsed,
    {
      keysOf: (one) => (one instanceof ApiError ? [] : keys.get(one.sent)!),
      weightOf: (one) => (one instanceof ApiError ? 0 : kind.weightOf(one.sent)),
      weightMax: kind.weightMax,
      signal,
    },
    async (one) => {
      if (one instanceof ApiError) return one
      const deadline = Math.min(endsAt, performance.now() + databaseMsMax)
      return withDeadline(deadline, () => orItsError(context, request, () => kind.record(caller, one.sent)))
    },
  )
  const releaseIds = outcomes.flatMap((one) => (one instanceof ApiError ? [] : (one.releaseId ?? [])))
  return { results: resultViews(items, outcomes, kind.ids), releaseIds: new Set(releaseIds) }
}

/** JSON pointers of unknown members of the items, each once, at the first item that has it. */
function ignoredOf(parsed: readonly Parsed<unknown>[], name: string): readonly string[] {
  const firsts = new Map<string, string>()
  for (const [at, one] of parsed.entries()) {
    if (one instanceof ApiError) continue
    for (const pointer of one.ignored) if (!firsts.has(pointer)) firsts.set(pointer, `/${name}/${at}${pointer}`)
  }
  return [...firsts.values()]
}

/**
 * The error of an item concerns that item only.
 * @throws an error after which the batch is to be sent again
 */
async function orItsError<Result>(
  { unavailabilityOf }: ProcessingContext,
  { log }: FastifyRequest,
  work: () => Promise<Result>,
): Promise<Result | ApiError> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ApiError && API_ERRORS[error.code][0] < 500) return error
    if (error instanceof ApiError || unavailabilityOf(error) !== null) throw error
    logError(log, error as Error, 'internal')
    return new ApiError('internal', PROTOCOL_MESSAGES.internal_error())
  }
}

function resultViews(
  items: readonly unknown[],
  outcomes: readonly (Recorded | ApiError)[],
  ids: readonly string[],
): readonly Json[] {
  let detailsLeft = DETAILS_MAX
  return outcomes.map((outcome, at) => {
    const named = idsOf(items[at], ids)
    if (!(outcome instanceof ApiError))
      return { ...named, status: 200, idempotent_replayed: outcome.isReplayed, ...outcome.members }
    const { details, ...error } = errorView(outcome)
    const shown = details?.slice(0, Math.max(1, detailsLeft))
    detailsLeft -= shown?.length ?? 0
    return { ...named, status: API_ERRORS[outcome.code][0], ...error, ...(shown && { details: shown }) }
  })
}

const ID_LENGTH_MAX = 200

/** The identifiers of an item as they were sent; of an invalid item, those that are text. */
function idsOf(item: unknown, names: readonly string[]): Json {
  if (typeof item !== 'object' || item === null) return {}
  const sent = names.map((name) => [name, Object.hasOwn(item, name) ? (item as Json)[name] : undefined] as const)
  const texts = sent.filter((one): one is [string, string] => typeof one[1] === 'string')
  return Object.fromEntries(texts.map(([name, id]) => [name, id.slice(0, ID_LENGTH_MAX)]))
}
