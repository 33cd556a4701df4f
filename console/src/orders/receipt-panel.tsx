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
  const say = useMessages({ en, de })
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
    <section className="card" aria-label={say('proof')}>
      <h2>{say('proof')}</h2>
      <p>{say('proofLead')}</p>
      <div className="row orders-actions">
        <button
          className="button button-primary"
          disabled={verification.isPending}
          onClick={() => verification.mutate()}
        >
          {say(verification.isPending ? 'recomputing' : 'recompute')}
        </button>
        <a className="button" href={receiptPathOf(orderKey, search)} download={`receipt-${orderKey.order_id}.json`}>
          {say('receipt')}
        </a>
      </div>
      <p className="muted">
        {say('verifyYourself')} <code>cradle verify receipt.json</code>
      </p>
      <div role="status">{verification.data && <Verdict {...verification.data} />}</div>
      {verification.error && <ProblemNotice problem={verification.error} />}
    </section>
  )
}

function Verdict(verification: Schemas['Verification']) {
  const say = useMessages({ en, de })
  const { time } = useFormat()
  const { outcome, lines, devices, entries, dataset_releases: releases, difference, verified_at: at } = verification
  return (
    <div className={outcome === 'equal' ? 'note' : 'problem'}>
      <p>
        <strong>{say(outcome)}</strong> <span className="muted">{time(at)}</span>
      </p>
      <ul>
        <li>{say('linesAgain', { count: lines })}</li>
        <li>{say('devicesAgain', { count: devices })}</li>
        <li>{say('entriesHeld', { count: entries })}</li>
        {releases.length > 0 && <li>{say('figuresOf', { releases: releases.join(', ') })}</li>}
        {difference && (
          <li>
            {say('differsAt')} <code>{difference.pointer || '/'}</code>: {say('expected')}{' '}
            <code>{difference.expected}</code>, {say('found')} <code>{difference.found}</code>
          </li>
        )}
      </ul>
    </div>
  )
}
