// Closes the books for past days, or reopens them, and lists each time that was done.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, read, type Schemas } from '../api/client.ts'
import { PERIODS_KEY, usePeriods } from '../api/periods.ts'
import { DataTable, type Column } from '../components/data-table.tsx'
import { Field } from '../components/fields.tsx'
import { Loaded, ProblemNotice } from '../components/loading-and-error.tsx'
import { useToast } from '../components/toast.tsx'
import { useFormat } from '../i18n/format.ts'
import { useMessages } from '../i18n/language.tsx'
import { ClosingPreview } from './closing-preview.tsx'
import de from './messages.de.json'
import en from './messages.en.json'

type Periods = Schemas['Periods']
type Closing = Periods['closings'][number]

export function ClosedPeriods() {
  const t = useMessages({ en, de })
  const periods = usePeriods()
  return (
    <section className="card" aria-labelledby="closed-periods">
      <h2 id="closed-periods">{t('periods')}</h2>
      <p className="lead">{t('periodsLead')}</p>
      <Loaded query={periods}>
        {({ books_closed_until: closedUntil, closings }) => (
          <>
            <CloseForm key={closedUntil} closedUntil={closedUntil} />
            {closings.length > 0 && <Closings closings={closings} />}
          </>
        )}
      </Loaded>
    </section>
  )
}

/** The first day of this year: most close a year that is over. */
const thisYear = (): string => `${new Date().getUTCFullYear()}-01-01`

function CloseForm({ closedUntil }: { readonly closedUntil: string | null }) {
  const t = useMessages({ en, de })
  const { day } = useFormat()
  const [until, setUntil] = useState(closedUntil ?? thisYear())
  const [reason, setReason] = useState('')
  const [previewed, setPreviewed] = useState<string | null>(null)
  const { mutate, isPending, error } = useClosing()
  const isReopening = closedUntil !== null && until < closedUntil
  return (
    <form
      className="settings-form"
      onSubmit={(event) => {
        event.preventDefault()
        mutate({ closed_until: until === '' ? null : until, ...(isReopening && { reason }) })
      }}
    >
      <p>
        <strong>{closedUntil === null ? t('periodsOpen') : t('periodsClosed', { day: day(closedUntil) })}</strong>
      </p>
      <Field label={t('firstOpenDay')} hint={t(isReopening ? 'reopenHelp' : 'closeHelp')}>
        {(ids) => <input {...ids} type="date" value={until} onChange={({ target }) => setUntil(target.value)} />}
      </Field>
      {isReopening && (
        <Field label={t('reopenReason')}>
          {(ids) => (
            <input
              {...ids}
              value={reason}
              required
              maxLength={200}
              onChange={({ target }) => setReason(target.value)}
            />
          )}
        </Field>
      )}
      {previewed === until && !isReopening && <ClosingPreview until={until} />}
      <div className="row">
        {!isReopening && (
          <button
            type="button"
            className="button"
            disabled={until === '' || until === closedUntil || previewed === until}
            onClick={() => setPreviewed(until)}
          >
            {t('preview')}
          </button>
        )}
        <button
          className={isReopening ? 'button button-danger' : 'button button-primary'}
          disabled={isPending || until === (closedUntil ?? '')}
        >
          {t(isReopening ? 'reopen' : 'closeBooks')}
        </button>
      </div>
      {error && <ProblemNotice problem={error} />}
    </form>
  )
}

function useClosing() {
  const t = useMessages({ en, de })
  const client = useQueryClient()
  const toast = useToast()
  return useMutation({
    mutationFn: async (body: Schemas['PeriodParams']) => (await read(api.POST('/api/periods', { body }))) as Periods,
    onSuccess: async (periods) => {
      client.setQueryData(PERIODS_KEY, periods)
      toast(t(periods.closings[0]?.kind === 'reopened' ? 'reopened' : 'closed'))
      // Whatever is shown of statements and reports may be preliminary no more, or again.
      await client.invalidateQueries()
    },
  })
}

function Closings({ closings }: { readonly closings: readonly Closing[] }) {
  const t = useMessages({ en, de })
  const { day, time } = useFormat()
  const columns: readonly Column<Closing>[] = [
    { key: 'time', header: t('recordedAt'), isName: true, cell: (one) => time(one.recorded_at) },
    { key: 'kind', header: t('action'), cell: ({ kind }) => t(`kind-${kind}`) },
    {
      key: 'until',
      header: t('firstOpenDay'),
      cell: ({ closed_until: until }) => (until === null ? t('periodsOpen') : day(until)),
    },
    { key: 'reason', header: t('reason'), cell: (one) => one.reason ?? '–' },
    { key: 'key', header: t('theKey'), cell: (one) => (one.key === null ? '–' : <code>{one.key}</code>) },
  ]
  return <DataTable caption={t('periodsHistory')} columns={columns} rows={closings} keyOf={(one) => one.recorded_at} />
}
