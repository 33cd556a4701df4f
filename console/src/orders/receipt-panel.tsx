// What shows that an order's figures are right: its receipt to take along, and all of it computed again by the service.
import { useMutation } from '@tanstack/react-query'
import { api, read, type Schemas } from '../api/client.ts'
import { ProblemNotice } from '../components/loading-and-error.tsx'
import { useFormat } from '../i18n/format.ts'
import { useMessages } from '../i18n/language.tsx'
import { timeOfDay } from './known-at.tsx'
import de from './messages.de.json'
import en from './messages.en.json'
import { receiptPathOf, type OrderKey } from './order-path.ts'

export interface ProofProps {
  readonly orderKey: OrderKey
  /** The day as of which it is shown; '' for now. */
  readonly known: string
}

export function Proof({ orderKey, known }: ProofProps) {
  const t = useMessages({ en, de })
  const query = known === '' ? {} : { known_at: timeOfDay(known) }
  const verification = useMutation({
    mutationFn: () =>
      read(
        api.GET('/api/customer-orders/{customer_id}/{order_id}/verification', {
          params: { path: { ...orderKey }, query },
        }),
      ),
  })
  const search = known === '' ? '' : `?${new URLSearchParams(query).toString()}`
  return (
    <section className="card" aria-label={t('verification')}>
      <h2>{t('verification')}</h2>
      <p>{t('verificationLead')}</p>
      <div className="row orders-actions">
        <button
          className="button button-primary"
          disabled={verification.isPending}
          onClick={() => verification.mutate()}
        >
          {t(verification.isPending ? 'recomputing' : 'recompute')}
        </button>
        <a className="button" href={receiptPathOf(orderKey, search)} download={`receipt-${orderKey.order_id}.json`}>
          {t('receipt')}
        </a>
      </div>
      <p className="muted">
        {t('verifyYourself')} <code>cradle verify receipt.json</code>
      </p>
      <div role="status">{verification.data && <Verdict {...verification.data} />}</div>
      {verification.error && <ProblemNotice problem={verification.error} />}
    </section>
  )
}

function Verdict(verification: Schemas['Verification']) {
  const t = useMessages({ en, de })
  const { time } = useFormat()
  const { outcome, lines, devices, entries, dataset_releases: releases, difference, verified_at: at } = verification
  return (
    <div className={outcome === 'equal' ? 'note' : 'problem'}>
      <p>
        <strong>{t(outcome)}</strong> <span className="muted">{time(at)}</span>
      </p>
      <ul>
        <li>{t('linesAgain', { count: lines })}</li>
        <li>{t('devicesAgain', { count: devices })}</li>
        <li>{t('entriesCompared', { count: entries })}</li>
        {releases.length > 0 && <li>{t('figuresOf', { releases: releases.join(', ') })}</li>}
        {difference && (
          <li>
            {t('differsAt')} <code>{difference.pointer || '/'}</code>: {t('expected')}{' '}
            <code>{difference.expected}</code>, {t('found')} <code>{difference.found}</code>
          </li>
        )}
      </ul>
    </div>
  )
}
