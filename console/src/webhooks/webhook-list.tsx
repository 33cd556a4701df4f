// The webhooks of the account: what each is sent, and whether it works.
import { useState } from 'react'
import { Link } from 'wouter'
import { DataTable, type Column } from '../components/data-table.tsx'
import { Empty, Loaded } from '../components/loading-and-error.tsx'
import { useFormat } from '../i18n/format.ts'
import { useMessages } from '../i18n/language.tsx'
import { AddWebhook } from './add-webhook.tsx'
import de from './messages.de.json'
import en from './messages.en.json'
import { pathOfWebhook, useWebhooks, type Webhook } from './use-webhooks.ts'
import { StateTag, useReason } from './webhook-state.tsx'
import './webhooks.css'

export function WebhookList() {
  const t = useMessages({ en, de })
  const webhooks = useWebhooks()
  const columns = useColumns()
  const [isAdding, setAdding] = useState(false)
  return (
    <section className="section" aria-label={t('webhooks')}>
      <div className="webhook-top">
        <button className="button button-primary" onClick={() => setAdding(true)}>
          {t('add')}
        </button>
      </div>
      <Loaded query={webhooks}>
        {(all) =>
          all.length === 0 ? (
            <Empty title={t('none')}>
              <p>{t('noneHelp')}</p>
            </Empty>
          ) : (
            <DataTable
              caption={t('webhooks')}
              columns={columns}
              rows={all}
              keyOf={({ webhook_id: id }) => String(id)}
            />
          )
        }
      </Loaded>
      {isAdding && <AddWebhook onClose={() => setAdding(false)} />}
    </section>
  )
}

function useColumns(): readonly Column<Webhook>[] {
  const t = useMessages({ en, de })
  const { full } = useFormat()
  const reasonOf = useReason()
  return [
    {
      key: 'url',
      header: t('url'),
      isName: true,
      cell: ({ webhook_id: id, url, description }) => (
        <span className="webhook-url">
          <Link href={pathOfWebhook(id)}>{url}</Link>
          {description !== '' && (
            <>
              <br />
              <span className="muted">{description}</span>
            </>
          )}
        </span>
      ),
    },
    { key: 'types', header: t('types'), cell: ({ types }) => <Types types={types} /> },
    {
      key: 'state',
      header: t('state'),
      cell: (webhook) => (
        <span className="webhook-state">
          <StateTag webhook={webhook} />
          <br />
          <span className="muted">{reasonOf(webhook)}</span>
        </span>
      ),
    },
    {
      key: 'waiting',
      header: t('waiting'),
      isNumber: true,
      cell: ({ number_of_waiting_deliveries: count }) => full(count),
    },
    {
      key: 'failures',
      header: t('failures'),
      isNumber: true,
      cell: ({ failures_in_a_row: count }) => full(count),
    },
  ]
}

export function Types({ types }: Pick<Webhook, 'types'>) {
  const t = useMessages({ en, de })
  if (types.length === 0) return t('allTypes')
  return (
    <span className="tags">
      {types.map((type) => (
        <code key={type} className="tag">
          {type}
        </code>
      ))}
    </span>
  )
}
