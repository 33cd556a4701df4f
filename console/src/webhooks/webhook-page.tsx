// One webhook: what it is sent and whether it works, what can be done with it, and what was sent to it.
import { Link } from 'wouter'
import { useCursorPages } from '../api/cursor-pages.ts'
import { Problem } from '../api/problem.ts'
import { Empty, Loaded } from '../components/loading-and-error.tsx'
import { useFormat } from '../i18n/format.ts'
import { useMessages } from '../i18n/language.tsx'
import { Page } from '../layout/page.tsx'
import { Deliveries } from './deliveries.tsx'
import de from './messages.de.json'
import en from './messages.en.json'
import { useWebhook, type Webhook } from './use-webhooks.ts'
import { WebhookActions } from './webhook-actions.tsx'
import { Types } from './webhook-list.tsx'
import { StateTag, useReason } from './webhook-state.tsx'
import './webhooks.css'

export function WebhookPage({ id }: { readonly id: string }) {
  const t = useMessages({ en, de })
  const { cursor, pagingTo } = useCursorPages()
  const query = useWebhook(id, cursor)
  const isUnknown = query.error instanceof Problem && query.error.status === 404
  return (
    <Page
      title={t('webhook', { id })}
      actions={
        <Link href="/settings/webhooks" className="button">
          {t('allWebhooks')}
        </Link>
      }
    >
      {isUnknown ? (
        <Empty title={t('unknown')}>
          <p>{t('unknownHelp')}</p>
        </Empty>
      ) : (
        <Loaded query={query}>
          {({ webhook, deliveries, next }) => (
            <>
              <WebhookCard webhook={webhook} />
              <Deliveries
                webhook={webhook}
                deliveries={deliveries}
                paging={pagingTo(next)}
                onRefresh={() => void query.refetch()}
              />
            </>
          )}
        </Loaded>
      )}
    </Page>
  )
}

function WebhookCard({ webhook }: { readonly webhook: Webhook }) {
  const t = useMessages({ en, de })
  const { full, time } = useFormat()
  const reason = useReason()(webhook)
  const { url, types, description, previous_secret_until: until } = webhook
  const facts = [
    ...(description === '' ? [] : [['description', description] as const]),
    ['types', <Types key="types" types={types} />],
    ['waiting', full(webhook.number_of_waiting_deliveries)],
    ['failures', full(webhook.failures_in_a_row)],
    ['since', time(webhook.created_at)],
    ...(until === null ? [] : [['previousSecret', t('signsUntil', { time: time(until) })] as const]),
  ] as const
  return (
    <section className="card section" aria-labelledby="webhook-url">
      <div className="row row-apart">
        <h2 id="webhook-url" className="webhook-url">
          {url}
        </h2>
        <span role="status">
          <StateTag webhook={webhook} />
        </span>
      </div>
      {reason !== null && <p className="note note-warning">{reason}</p>}
      <dl className="facts webhook-facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{t(name)}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <WebhookActions webhook={webhook} />
    </section>
  )
}
