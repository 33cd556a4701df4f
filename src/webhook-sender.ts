// Wires the feed and the webhooks: their tables, the rules for targets, and the loop that sends.
import { randomInt } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import type { Pool } from 'pg'
import { FEED_DAYS, WEBHOOK_LIMITS } from './config.ts'
import { nameHolder } from './create-import-context.ts'
import { createFeed } from './postgres/feed.ts'
import { createFindTotals } from './postgres/feed-totals.ts'
import { createWebhookDeliveries } from './postgres/webhook-deliveries.ts'
import { createWebhooks } from './postgres/webhooks.ts'
import { createViewEvents } from './webhooks/event-view.ts'
import { createExchange } from './webhooks/exchange.ts'
import { startSender, type AttemptResult, type SenderContext } from './webhooks/sender.ts'
import type { Resolve, TargetRules } from './webhooks/target.ts'
import { VERSION } from './version.ts'

export interface WebhookSettings {
  readonly publicUrl: string | null
  readonly rules: TargetRules
  /** In place of the resolver of the system. */
  readonly resolve?: Resolve
}

export const DEFAULT_WEBHOOKS: WebhookSettings = { publicUrl: null, rules: { ports: [443], allowsLoopback: false } }

export interface WebhookWatching {
  readonly report: (error: Error) => void
  readonly onAttempt: ((result: AttemptResult) => void) | null
  readonly logger: Pick<FastifyBaseLogger, 'warn'> | null
}

const RANDOM_STEPS = 1_000_000

export function startWebhooks(pool: Pool, { publicUrl, rules, resolve }: WebhookSettings, watching: WebhookWatching) {
  const feed = createFeed(pool)
  const deliveries = createWebhookDeliveries(pool, WEBHOOK_LIMITS.waitingMax)
  const viewEvents = createViewEvents({ publicUrl, findTotals: createFindTotals(pool) })
  const exchange = createExchange({ rules, userAgent: `Cradle/${VERSION}`, ...(resolve && { resolve }) })
  const context: SenderContext = {
    holder: nameHolder(),
    deliveries,
    feed,
    viewEvents,
    publicUrl,
    exchange,
    now: () => new Date(),
    random: () => randomInt(RANDOM_STEPS) / RANDOM_STEPS,
    feedDays: FEED_DAYS,
    deliveryDays: WEBHOOK_LIMITS.deliveryDays,
    onAttempt: watching.onAttempt ?? (() => undefined),
    onDisabled: ({ accountId, webhookId }, why) =>
      watching.logger?.warn({ account: accountId, webhook: webhookId }, `A webhook was disabled: ${why}`),
    report: watching.report,
  }
  const sender = startSender(context)
  return {
    served: {
      feed,
      viewEvents,
      feedDays: FEED_DAYS,
      webhooks: createWebhooks(pool),
      deliveries,
      webhookRules: rules,
      webhookLimits: WEBHOOK_LIMITS,
      wakeWebhooks: sender.wake,
    },
    exchange,
    stop: sender.stop,
  }
}
