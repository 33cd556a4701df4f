// Sends what waits for webhooks, in a loop of its own: claims deliveries, attempts them, and records the results.
import { startLoop, type BackgroundLoop } from '../concurrency/background-loop.ts'
import type { Feed } from '../postgres/feed.ts'
import type { Attempted, ClaimedDelivery, WebhookDeliveries } from '../postgres/webhook-deliveries.ts'
import { viewTest, type CloudEvent, type ViewEvents } from './event-view.ts'
import { ATTEMPTS_MAX, FAILURES_MAX, nextAttemptAt, pauseUntil } from './retry-schedule.ts'
import type { Exchange, SendProblem } from './exchange.ts'
import { signatureHeaders } from './signature.ts'

/** How often a process looks for work, if it is not woken. */
const LOOK_MS = 1_000
/** Longer than an attempt takes: then its process has ended, and another one attempts it again. */
const LEASE_MS = 30_000
const OF_ONE_MAX = 4
const OF_PROCESS_MAX = 16
/** Of one account: ten webhooks that answer after 14 s must not stop those of all others. */
const OF_ACCOUNT_MAX = 8
/** How often what is too old is deleted. */
const CLEAN_MS = 6 * 3_600_000
const FIRST_CLEAN_MS = 5 * 60_000
const DAY_MS = 24 * 3_600_000

/** How an attempt ended, for metrics. */
export type AttemptResult = 'succeeded' | SendProblem | 'event_expired'

export interface SenderContext {
  readonly holder: string
  readonly deliveries: WebhookDeliveries
  readonly feed: Feed
  readonly viewEvents: ViewEvents
  readonly publicUrl: string | null
  readonly exchange: Exchange
  readonly now: () => Date
  /** From 0 to 1. */
  readonly random: () => number
  readonly feedDays: number
  readonly deliveryDays: number
  readonly onAttempt: (result: AttemptResult) => void
  /** Told when a webhook is disabled because it keeps failing, or asked for it. */
  readonly onDisabled: (delivery: ClaimedDelivery, why: string) => void
  /** Reports internal errors; what is retried when the database is back is not reported. */
  readonly report: (error: Error) => void
}

/** Does what is due, and waits for it. */
export async function sendDue(context: SenderContext): Promise<void> {
  await context.deliveries.prepare(context.now())
  await Promise.all((await claim(context, [])).map((one) => attempt(context, one)))
}

/** To stop it breaks off the attempts that are under way: another process, or the next start, makes them again. */
export function startSender(context: SenderContext): BackgroundLoop {
  let cleanAt = context.now().getTime() + FIRST_CLEAN_MS
  const underWay = new Map<Promise<void>, number>()

  async function next(stopping: AbortSignal): Promise<boolean> {
    const prepared = await context.deliveries.prepare(context.now())
    const claimed = underWay.size < OF_PROCESS_MAX ? await claim(context, [...underWay.values()]) : []
    for (const one of claimed) {
      const attempted = attempt(context, one, stopping)
        .catch(context.report)
        .finally(() => {
          underWay.delete(attempted)
          loop.wake()
        })
      underWay.set(attempted, one.accountId)
    }
    if (context.now().getTime() >= cleanAt) {
      cleanAt = context.now().getTime() + CLEAN_MS
      await clean(context)
    }
    return prepared
  }

  const loop = startLoop(next, LOOK_MS, context.report)
  return {
    wake: loop.wake,
    stop: async () => {
      await loop.stop()
      await Promise.all(underWay.keys())
    },
  }
}

/** @param underWay the account of each attempt that is under way */
const claim = (
  { deliveries, holder, now }: SenderContext,
  underWay: readonly number[],
): Promise<readonly ClaimedDelivery[]> =>
  deliveries.claim(holder, now(), {
    leaseMs: LEASE_MS,
    ofOneMax: OF_ONE_MAX,
    failuresMax: FAILURES_MAX,
    max: OF_PROCESS_MAX - underWay.length,
    ofAccountMax: OF_ACCOUNT_MAX,
    underWay,
  })

async function clean({ deliveries, feed, now, feedDays, deliveryDays }: SenderContext): Promise<void> {
  await deliveries.deleteBefore(new Date(now().getTime() - deliveryDays * DAY_MS))
  await feed.deleteBefore(new Date(now().getTime() - feedDays * DAY_MS))
}

async function attempt(context: SenderContext, delivery: ClaimedDelivery, stopping?: AbortSignal): Promise<void> {
  const { now, random, deliveries, holder, onAttempt, onDisabled } = context
  const event = await eventOf(context, delivery)
  const startedAt = performance.now()
  // The feed keeps events for longer than a delivery waits, unless its webhook was disabled for so long.
  const sent = event === null ? EXPIRED : await sendEvent(context, delivery, event, stopping)
  const milliseconds = Math.round(performance.now() - startedAt)
  const succeeded = sent.problem === null
  if (stopping?.aborted && sent.status === null) return deliveries.release(delivery, holder)
  const isGone = sent.status === 410
  const at = now()
  const isFinal = isGone || event === null
  const next = succeeded || isFinal ? null : nextAttemptAt(delivery.attempts, at, random(), sent.retryAfterMs)
  const isExhausted = !succeeded && !isFinal && next === null
  const attempted: Attempted = {
    status: sent.status,
    problem: sent.problem,
    milliseconds,
    at,
    nextAttemptAt: next,
    pauseUntil: succeeded ? null : pauseUntil(delivery.failuresInARow + 1, at, sent.retryAfterMs),
    disables: isGone ? 'gone' : isExhausted && delivery.position !== null ? 'attempts_exhausted' : null,
    succeeded,
  }
  onAttempt(sent.problem ?? 'succeeded')
  const isOurs = await deliveries.finish(delivery, holder, attempted)
  if (isOurs && attempted.disables !== null)
    onDisabled(delivery, isGone ? 'it answered 410' : `${ATTEMPTS_MAX} attempts of a delivery failed`)
}

const EXPIRED = { status: null, problem: 'event_expired', retryAfterMs: null } as const

async function eventOf(
  { feed, viewEvents, publicUrl }: SenderContext,
  { accountId, position, deliveryId, createdAt }: ClaimedDelivery,
): Promise<CloudEvent | null> {
  if (position === null) return viewTest(publicUrl, deliveryId, createdAt)
  return (await viewEvents(await feed.at(accountId, [position])))[0] ?? null
}

function sendEvent(
  { exchange, now }: SenderContext,
  { url, secrets }: ClaimedDelivery,
  event: CloudEvent,
  stopping?: AbortSignal,
) {
  const body = JSON.stringify(event)
  const headers = {
    'content-type': 'application/cloudevents+json; charset=utf-8',
    ...signatureHeaders(event.id, now(), body, secrets),
  }
  return exchange({ method: 'POST', url, headers, body }, stopping)
}
