// Sends events to clients of the PACT interface: answers to their requests, and what was published for their customers.
import { randomInt } from 'node:crypto'
import { startLoop, type BackgroundLoop } from '../concurrency/background-loop.ts'
import { readFilter } from './footprint-query.ts'
import { PactError } from './pact-errors.ts'
import type { FootprintSources, PublishFootprints } from './publish-footprints.ts'
import { answerEvent, publishedEvent, EVENT_MEDIA_TYPE, type EventHead } from './events.ts'
import { printFootprint } from './print-footprint.ts'
import type { ClaimedMessage, PactMessages } from '../postgres/pact-messages.ts'
import { nextAttemptAt } from '../webhooks/retry-schedule.ts'
import type { Exchange } from '../webhooks/exchange.ts'

const LOOK_MS = 5_000
/** Longer than the three requests of an attempt may take together. */
const LEASE_MS = 60_000
/** Each may have an answer of some megabytes. */
const MESSAGES_AT_ONCE = 8
const OF_ACCOUNT_AT_ONCE = 2
/** How often the footprints of a customer whose client takes events are compared with the ledgers. */
const COMPARE_MS = 3_600_000
/** The most footprints that an answer has. */
const ANSWERED_MAX = 1_000

export interface PactEventsContext extends FootprintSources {
  readonly publicUrl: string
  readonly publishFootprints: PublishFootprints
  readonly pactMessages: PactMessages
  readonly exchange: Exchange
  readonly report: (error: Error) => void
}

/** Sends events for as long as the program runs. */
export function startPactEvents(context: PactEventsContext): BackgroundLoop {
  /** The account of each attempt. */
  const underWay = new Map<Promise<void>, number>()
  let comparing: Promise<void> | null = null

  /** Neither a receiver that answers slowly nor a customer with many devices keeps the others waiting. */
  async function next(stopping: AbortSignal): Promise<boolean> {
    comparing ??= compareDue(context)
      .catch((error: unknown) => {
        if (!(error instanceof PactError)) context.report(error as Error)
        return true
      })
      .then((wasDue) => {
        comparing = null
        if (wasDue) loop.wake()
      })
    for (const message of await claimDue(context, [...underWay.values()])) {
      const attempted = attempt(context, message, stopping)
        .catch(context.report)
        .finally(() => {
          underWay.delete(attempted)
          loop.wake()
        })
      underWay.set(attempted, message.accountId)
    }
    return false
  }

  const loop = startLoop(next, LOOK_MS, context.report)
  return {
    wake: loop.wake,
    stop: async () => {
      await loop.stop()
      await Promise.all([comparing, ...underWay.keys()])
    },
  }
}

/** Publishes what changed for a customer whose client takes events; that adds messages. @returns whether one was due */
async function compareDue({ pactMessages, now, publishFootprints }: PactEventsContext): Promise<boolean> {
  const before = new Date(now().getTime() - COMPARE_MS)
  const due = await pactMessages.claimClients(before, now(), 1)
  for (const client of due) await publishFootprints(client)
  return due.length > 0
}

function claimDue({ pactMessages, now }: PactEventsContext, accountsUnderWay: readonly number[]) {
  const ofOne = (account: number): number => accountsUnderWay.filter((one) => one === account).length
  return pactMessages.claim(now(), {
    leaseMs: LEASE_MS,
    max: MESSAGES_AT_ONCE - accountsUnderWay.length,
    ofAccountMax: OF_ACCOUNT_AT_ONCE,
    busyAccounts: accountsUnderWay.filter((account) => ofOne(account) >= OF_ACCOUNT_AT_ONCE),
  })
}

/** An event that cannot be made counts as one that was not taken: it must not come first again for ever. */
async function attempt(context: PactEventsContext, message: ClaimedMessage, stopping: AbortSignal): Promise<void> {
  const { pactMessages, now, report } = context
  const sent = await send(context, message, stopping).catch((error: unknown) => {
    report(error as Error)
    return null
  })
  const isDelivered = sent !== null && sent.problem === null
  if (stopping.aborted && !isDelivered) return pactMessages.finish(message, now())
  const retryAfterMs = sent?.retryAfterMs ?? null
  const next = isDelivered ? null : nextAttemptAt(message.attempts, now(), randomInt(1000) / 1000, retryAfterMs)
  await pactMessages.finish(message, next)
}

async function send(context: PactEventsContext, message: ClaimedMessage, stopping: AbortSignal) {
  const token = await askForToken(context.exchange, message, stopping)
  return token === null ? null : sendMessage(context, message, token, stopping)
}

const TOKEN_FORM = 'grant_type=client_credentials'

/** Null if none is issued. Tokens are asked for anew for each event: events are rare. */
async function askForToken(
  exchange: Exchange,
  { target: { url, clientId, clientSecret } }: ClaimedMessage,
  stopping: AbortSignal,
): Promise<string | null> {
  const headers = {
    authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
    'content-type': 'application/x-www-form-urlencoded',
    accept: 'application/json',
  }
  const endpoint = (await findTokenEndpoint(exchange, url, stopping)) ?? `${url}/auth/token`
  const { problem, body } = await exchange({ method: 'POST', url: endpoint, headers, body: TOKEN_FORM }, stopping)
  const token = problem === null ? memberOf(body, 'access_token') : null
  // A token goes into a header.
  return token !== null && /^[\x21-\x7e]+$/.test(token) ? token : null
}

/** The endpoint that the client's own service names; null if it names none, or one of another origin. */
async function findTokenEndpoint(exchange: Exchange, url: string, stopping: AbortSignal): Promise<string | null> {
  const configuration = { method: 'GET', url: `${url}/.well-known/openid-configuration`, headers: {} } as const
  const { problem, body } = await exchange(configuration, stopping)
  const endpoint = problem === null ? memberOf(body, 'token_endpoint') : null
  if (endpoint === null || !URL.canParse(endpoint)) return null
  return new URL(endpoint).origin === new URL(url).origin ? endpoint : null
}

function memberOf(body: string, name: string): string | null {
  try {
    const parsed = JSON.parse(body) as Readonly<Record<string, unknown>> | null
    const value = parsed?.[name]
    return typeof value === 'string' ? value : null
  } catch {
    return null
  }
}

async function sendMessage(context: PactEventsContext, message: ClaimedMessage, token: string, stopping: AbortSignal) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': EVENT_MEDIA_TYPE }
  const body = await renderMessage(context, message)
  return context.exchange({ method: 'POST', url: `${message.target.url}/3/events`, headers, body }, stopping)
}

async function renderMessage(
  { pactFootprints, publicUrl }: PactEventsContext,
  { eventId, createdAt, content, accountId, customerId }: ClaimedMessage,
): Promise<string> {
  const head: EventHead = { id: eventId, source: publicUrl, at: createdAt }
  if ('footprintIds' in content) return publishedEvent(head, content.footprintIds)
  const filter = { ...readFilter(content.filter), status: ['active'] }
  const found = await pactFootprints.list({ accountId, customerId }, filter, 0, ANSWERED_MAX)
  return answerEvent(head, content.requestId, found.map(printFootprint))
}
