// Sends events to clients of the PACT interface: answers to their requests, and what was published for their customers.
import { randomInt } from 'node:crypto'
import type { Pool } from 'pg'
import { startLoop, type BackgroundLoop } from './concurrency/background-loop.ts'
import { readEventFilter } from './http/pact/footprint-query.ts'
import { createPublisher, type FootprintSources, type PublishFootprints } from './http/pact/publish-footprints.ts'
import { answerEvent, publishedEvent, EVENT_MEDIA_TYPE, type EventHead } from './pact/events.ts'
import { printFootprint } from './pact/print-footprint.ts'
import { createPactMessages, type ClaimedMessage, type PactMessages } from './postgres/pact-messages.ts'
import { nextAttemptAt } from './webhooks/retry-schedule.ts'
import type { Exchange } from './webhooks/exchange.ts'

const LOOK_MS = 5_000
/** Longer than the three requests of an attempt may take together. */
const LEASE_MS = 60_000
const MESSAGES_AT_ONCE = 4
/** How often the footprints of a customer whose client takes events are compared with the ledgers. */
const COMPARE_MS = 3_600_000
/** The most footprints that an answer has. */
const ANSWERED_MAX = 1_000

interface PactEventsContext extends FootprintSources {
  readonly publicUrl: string
  readonly pactMessages: PactMessages
  readonly exchange: Exchange
  readonly report: (error: Error) => void
}

function startPactEvents(context: PactEventsContext): BackgroundLoop {
  const publish = createPublisher(context, context.publicUrl)
  const next = async (stopping: AbortSignal): Promise<boolean> => {
    await compareDue(context, publish)
    return sendDue(context, stopping)
  }
  return startLoop(next, LOOK_MS, context.report)
}

/** Publishes what changed for customers whose clients take events; that adds messages for them. */
async function compareDue({ pactMessages, now }: PactEventsContext, publish: PublishFootprints): Promise<void> {
  const before = new Date(now().getTime() - COMPARE_MS)
  for (const client of await pactMessages.claimClients(before, now(), 1)) await publish(client)
}

/** @returns false if no more messages are due */
async function sendDue(context: PactEventsContext, stopping: AbortSignal): Promise<boolean> {
  const claimed = await context.pactMessages.claim(context.now(), LEASE_MS, MESSAGES_AT_ONCE)
  await Promise.all(claimed.map((message) => attempt(context, message, stopping)))
  return claimed.length === MESSAGES_AT_ONCE
}

async function attempt(context: PactEventsContext, message: ClaimedMessage, stopping: AbortSignal): Promise<void> {
  const { pactMessages, now, exchange } = context
  const token = await askForToken(exchange, message, stopping)
  const sent = token === null ? null : await sendMessage(context, message, token, stopping)
  const isDelivered = sent !== null && sent.problem === null
  if (stopping.aborted && !isDelivered) return
  const retryAfterMs = sent?.retryAfterMs ?? null
  const next = isDelivered ? null : nextAttemptAt(message.attempts, now(), randomInt(1000) / 1000, retryAfterMs)
  await pactMessages.finish(message, next)
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

/** The endpoint that the client's own service names; null if it names none, or one of another host. */
async function findTokenEndpoint(exchange: Exchange, url: string, stopping: AbortSignal): Promise<string | null> {
  const configuration = { method: 'GET', url: `${url}/.well-known/openid-configuration`, headers: {} } as const
  const { problem, body } = await exchange(configuration, stopping)
  const endpoint = problem === null ? memberOf(body, 'token_endpoint') : null
  if (endpoint === null || !URL.canParse(endpoint)) return null
  return new URL(endpoint).host === new URL(url).host ? endpoint : null
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
  const filter = { ...readEventFilter(content.filter), status: ['active'] }
  const found = await pactFootprints.list({ accountId, customerId }, filter, 0, ANSWERED_MAX)
  return answerEvent(head, content.requestId, found.map(printFootprint))
}

/** @param sources of statements. Nothing is sent unless the public URL of the service is known. */
export function servePactEvents(
  pool: Pool,
  sources: Omit<PactEventsContext, 'publicUrl' | 'pactMessages'>,
  publicUrl: string | null,
) {
  const pactMessages = createPactMessages(pool)
  const events = publicUrl === null ? null : startPactEvents({ ...sources, publicUrl, pactMessages })
  return {
    served: { pactMessages, wakePactEvents: () => events?.wake() },
    stop: async () => events?.stop(),
  }
}
