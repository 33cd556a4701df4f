// The button that withdraws an event, and what stands in its place once that is done.
import { lazy, Suspense, useState } from 'react'
import { useMessages } from '../i18n/language.tsx'
import { useSession } from '../session/session.tsx'
import type { Recorded } from '../event-preview/event-recording.ts'
import de from './messages.de.json'
import en from './messages.en.json'

const WithdrawDialog = lazy(async () => ({ default: (await import('./withdraw-dialog.tsx')).WithdrawDialog }))

interface RecordedEvent {
  readonly withdrawn_by?: string
  readonly event: { readonly event_id: string; readonly type: string }
}

/** Those that the service would refuse in any case: a withdrawal, and the reversal of an import. */
const FINAL = ['withdrawn', 'reversed']

export interface WithdrawButtonProps {
  readonly recorded: Recorded
  readonly told: RecordedEvent
  readonly onWithdrawn: () => void
}

export function WithdrawButton({ recorded, told, onWithdrawn }: WithdrawButtonProps) {
  const t = useMessages({ en, de })
  const { may } = useSession()
  const [isAsking, setAsking] = useState(false)
  const { event_id: id, type } = told.event
  if (told.withdrawn_by !== undefined || FINAL.includes(type) || !may('orders:write')) return null
  return (
    <div>
      <button className="button button-small" aria-label={t('withdrawThis', { id })} onClick={() => setAsking(true)}>
        {t('withdraw')}
      </button>
      {isAsking && (
        <Suspense>
          <WithdrawDialog recorded={recorded} eventId={id} onClose={() => setAsking(false)} onWithdrawn={onWithdrawn} />
        </Suspense>
      )}
    </div>
  )
}

/** That an event was withdrawn, by which event and why. */
export function Withdrawn({ by, reason }: { readonly by: string; readonly reason?: string | undefined }) {
  const t = useMessages({ en, de })
  return (
    <div className="muted">
      {t('withdrawnBy', { id: by })}
      {reason !== undefined && <> · {reason}</>}
    </div>
  )
}

/** Which event a withdrawal is of, and why. */
export function Withdraws({ withdraws, reason }: { readonly withdraws: string; readonly reason?: string | undefined }) {
  const t = useMessages({ en, de })
  return (
    <>
      {t('withdraws', { id: withdraws })}
      {reason !== undefined && <> · {reason}</>}
    </>
  )
}
