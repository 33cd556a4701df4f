// The progress of an import: a bar with its rate while it is running, and its counts.
import type { ReactNode } from 'react'
import { Figure } from '../components/figure.tsx'
import { KG } from '../emissions/kilograms.ts'
import { useFormat } from '../i18n/format.ts'
import { useMessages } from '../i18n/language.tsx'
import { Tell } from '../i18n/service-text.tsx'
import de from './messages.de.json'
import en from './messages.en.json'
import { ProgressBar } from '../components/progress-bar.tsx'
import type { ImportState } from './settings.ts'

export interface CountsProps {
  readonly one: ImportState
  readonly isRunning: boolean
}

export function Counts({ one, isRunning }: CountsProps) {
  const t = useMessages({ en, de })
  const { full, short } = useFormat()
  const { is_dry_run: isDryRun, orders_per_second: rate, ignored } = one
  const stored = t(isDryRun ? 'wouldStore' : 'ordersStored')
  const isReversal = one.state === 'reversing' || one.state === 'reversed'
  return (
    <>
      {isRunning && (
        <ProgressBar
          label={rate === null ? t(one.state) : t('rate', { rows: full(one.rows_read), rate: short(rate) })}
          share={one.state === 'reversing' ? one.orders_reversed / Math.max(1, one.orders_stored) : one.progress}
        />
      )}
      {one.problem !== null && (
        <div className="problem" role="alert">
          <p className="problem-title">
            <Tell text={{ message: one.problem, ...one.problem_message }} />
          </p>
        </div>
      )}
      <dl className="facts import-counts">
        <Count name={t('rows')}>{full(one.rows_read)}</Count>
        <Count name={stored}>{full(one.orders_stored)}</Count>
        <Count name={t('ordersReplayed')}>{full(one.orders_replayed)}</Count>
        <Count name={t('ordersRejected')} isBad={one.orders_rejected > 0}>
          {full(one.orders_rejected)}
        </Count>
        {isReversal && <Count name={t('ordersReversed')}>{full(one.orders_reversed)}</Count>}
        {one.orders_kept > 0 && <Count name={t('ordersKept')}>{full(one.orders_kept)}</Count>}
        {!isRunning && rate !== null && <Count name={t('perSecond')}>{short(rate)}</Count>}
        <Count name={`${t('emission')} (${KG})`}>
          <Figure
            value={one.total_emission}
            unit={KG}
            why={() => ({
              title: t('emissionOf', { name: one.file_name ?? '' }),
              value: one.total_emission,
              unit: KG,
              inputs: [{ symbol: '', name: stored, value: one.orders_stored, unit: '', from: '' }],
              notes: [t('emissionNote'), ...(isDryRun ? [t('emissionDryRun')] : [])],
            })}
          />
        </Count>
      </dl>
      {ignored.length > 0 && (
        <p className="muted">
          {t('ignored')}{' '}
          {ignored.map((member) => (
            <code key={member}>{member} </code>
          ))}
        </p>
      )}
    </>
  )
}

interface CountProps {
  readonly name: string
  readonly isBad?: boolean
  readonly children: ReactNode
}

const Count = ({ name, isBad = false, children }: CountProps) => (
  <div data-bad={isBad}>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)
