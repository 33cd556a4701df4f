// What was and will be sent to a webhook: each delivery with its last attempt in words, to be sent again.
import type { Paging } from '../api/cursor-pages.ts'
import { DataTable, type Column } from '../components/data-table.tsx'
import { Empty, ProblemNotice } from '../components/loading-and-error.tsx'
import { useToast } from '../components/toast.tsx'
import { useFormat } from '../i18n/format.ts'
import { useMessages } from '../i18n/language.tsx'
import de from './messages.de.json'
import en from './messages.en.json'
import { useSendingAgain, type Delivery, type Webhook } from './use-webhooks.ts'
import { DeliveryTag } from './webhook-state.tsx'

export interface DeliveriesProps {
  readonly webhook: Webhook
  readonly deliveries: readonly Delivery[]
  readonly paging: Paging
  readonly onRefresh: () => void
}

export function Deliveries({ webhook, deliveries, paging, onRefresh }: DeliveriesProps) {
  const t = useMessages({ en, de })
  const toast = useToast()
  const { webhook_id: id, enabled } = webhook
  const { mutate, isPending, error } = useSendingAgain(id, (deliveryId) =>
    toast(t('sentAgain', { id: String(deliveryId) })),
  )
  const columns = useColumns(enabled, isPending, mutate)
  return (
    <section className="section" aria-labelledby="deliveries">
      <div className="row row-apart">
        <h2 id="deliveries">{t('deliveries')}</h2>
        <button className="button" onClick={onRefresh}>
          {t('refresh')}
        </button>
      </div>
      <p className="muted">{t('deliveriesLead')}</p>
      {error && <ProblemNotice problem={error} />}
      {deliveries.length === 0 ? (
        <Empty title={t('noDeliveries')}>
          <p>{t('noDeliveriesHelp')}</p>
        </Empty>
      ) : (
        <DataTable
          caption={t('deliveries')}
          columns={columns}
          rows={deliveries}
          keyOf={({ delivery_id: deliveryId }) => String(deliveryId)}
          paging={paging}
        />
      )}
    </section>
  )
}

function useColumns(
  isEnabled: boolean,
  isPending: boolean,
  onSend: (deliveryId: number) => void,
): readonly Column<Delivery>[] {
  const t = useMessages({ en, de })
  const { full, time } = useFormat()
  return [
    {
      key: 'event',
      header: t('event'),
      isName: true,
      cell: ({ delivery_id: id, type, event_time: at }) => (
        <>
          {t(`type-${type}`)}
          <br />
          <span className="muted">{t('numbered', { id: String(id), time: time(at) })}</span>
        </>
      ),
    },
    { key: 'state', header: t('state'), cell: ({ state }) => <DeliveryTag state={state} /> },
    { key: 'attempts', header: t('attempts'), isNumber: true, cell: (one) => full(one.number_of_attempts) },
    { key: 'last', header: t('lastAttempt'), cell: (one) => <LastAttempt delivery={one} /> },
    {
      key: 'next',
      header: t('nextAttempt'),
      cell: ({ next_attempt_at: next }) => <span className="unbroken">{nextText(next, isEnabled)}</span>,
    },
    ...(isEnabled
      ? [
          {
            key: 'action',
            header: t('action'),
            cell: ({ delivery_id: id }: Delivery) => (
              <button
                className="button button-small"
                aria-label={t('sendAgainThis', { id: String(id) })}
                disabled={isPending}
                onClick={() => onSend(id)}
              >
                {t('sendAgain')}
              </button>
            ),
          },
        ]
      : []),
  ]

  /** What is due is attempted within a second or two; nothing is, while the webhook is disabled. */
  function nextText(next: string | null, isSent: boolean): string {
    if (next === null || !isSent) return t('noNext')
    return Date.parse(next) <= Date.now() ? t('now') : time(next)
  }
}

function LastAttempt({ delivery }: { readonly delivery: Delivery }) {
  const t = useMessages({ en, de })
  const { full, time } = useFormat()
  const { last_attempt_at: at, last_status: status, last_problem: problem, last_milliseconds: taken } = delivery
  const result = { status: String(status ?? '') }
  if (problem === null && at === null) return <span className="muted">{t('notYet')}</span>
  return (
    <span className="webhook-attempt">
      {problem === null
        ? t('answered', { ...result, milliseconds: full(taken ?? 0) })
        : t(`problem-${problem}`, result)}
      {at !== null && (
        <>
          <br />
          <span className="muted">{time(at)}</span>
        </>
      )}
    </span>
  )
}
