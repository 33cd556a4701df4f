// Wrong cells, corrected here: the rejected rows are then sent as a separate file, first as a dry run.
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState, type MouseEvent } from 'react'
import { api, read } from '../api/client.ts'
import { Field } from '../components/fields.tsx'
import { Loaded } from '../components/loading-and-error.tsx'
import { useFormat } from '../i18n/format.ts'
import { useMessages } from '../i18n/language.tsx'
import { Tell } from '../i18n/service-text.tsx'
import { useSession } from '../session/session.tsx'
import { keyOfCell, readFixRowsFile, writeCorrected, type WrongCell, type FixRowsFile } from './fix-rows-file.ts'
import de from './messages.de.json'
import en from './messages.en.json'
import type { Sender } from './upload.ts'
import { requestedAsRead, delimiterOf, formatOf, type ImportState } from './settings.ts'

/** More rows are corrected faster in a spreadsheet. */
const ROWS_MAX = 100
/** Rows on the longest page of the API. */
const ERROR_ROWS_MAX = 1000

export interface FixRowsProps {
  readonly one: ImportState
  readonly sender: Sender
}

export function FixRows({ one, sender }: FixRowsProps) {
  const t = useMessages({ en, de })
  const { may } = useSession()
  const [isOpen, setOpen] = useState(false)
  if (!may('orders:write') || one.finished_at === null || formatOf(one) === 'jsonl') return null
  if (one.is_dry_run && one.orders_stored > 0) return <p className="muted">{t('correctLater')}</p>
  if (one.rows_rejected_stored === 0) return null
  if (one.rows_rejected > ROWS_MAX) return <p className="muted">{t('correctTooMany', { count: ROWS_MAX })}</p>
  return isOpen ? (
    <FixForm one={one} sender={sender} />
  ) : (
    <div className="row">
      <button className="button" onClick={() => setOpen(true)}>
        {t('correctHere')}
      </button>
    </div>
  )
}

function FixForm({ one, sender }: FixRowsProps) {
  const t = useMessages({ en, de })
  const file = useQuery({
    queryKey: ['import rejected rows', one.import_id],
    queryFn: ({ signal }) => fetchFixRowsFile(one, signal),
    staleTime: Infinity,
  })
  // The button that opened the form is gone, so the heading gets the focus.
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <section className="stack import-fix" aria-label={t('correctHere')}>
      <h3 ref={heading} tabIndex={-1}>
        {t('correctHere')}
      </h3>
      <Loaded query={file}>{(data) => <FixFields one={one} sender={sender} file={data} />}</Loaded>
    </section>
  )
}

async function fetchFixRowsFile(one: ImportState, signal: AbortSignal): Promise<FixRowsFile> {
  const path = { import_id: String(one.import_id) }
  const [text, errors] = await Promise.all([
    read(api.GET('/api/imports/{import_id}/rejected-rows', { params: { path }, parseAs: 'text', signal })),
    read(api.GET('/api/imports/{import_id}/errors', { params: { path, query: { limit: ERROR_ROWS_MAX } }, signal })),
  ])
  return readFixRowsFile(text, delimiterOf(one), errors)
}

function FixFields({ one, sender, file }: FixRowsProps & { readonly file: FixRowsFile }) {
  const t = useMessages({ en, de })
  const [corrected, setCorrected] = useState<ReadonlyMap<string, string>>(new Map())
  const correct = (cells: readonly WrongCell[], value: string) =>
    setCorrected((before) => new Map([...before, ...cells.map((cell) => [keyOfCell(cell), value] as const)]))
  const send = () =>
    sender.send({
      file: new File([...writeCorrected(file, corrected, delimiterOf(one))], nameOf(one), { type: 'text/csv' }),
      isDryRun: true,
      asked: requestedAsRead(one),
    })
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      {file.others.length > 0 && <p className="muted">{t('correctOthers', { count: file.others.length })}</p>}
      <div className="fields import-fix-cells">
        {file.cells.map((cell) => (
          <CellField key={keyOfCell(cell)} cell={cell} all={file.cells} corrected={corrected} onCorrect={correct} />
        ))}
      </div>
      <div className="row">
        <button className="button button-primary" disabled={corrected.size === 0}>
          {t('correctTry')}
        </button>
        <p className="muted">{t('correctTryMeans')}</p>
      </div>
    </form>
  )
}

const nameOf = ({ file_name: name, import_id: id }: ImportState): string =>
  `${(name ?? `import-${id}`).replace(/\.(csv|xlsx)$/i, '').replace(/-corrected$/, '')}-corrected.csv`

interface CellFieldProps {
  readonly cell: WrongCell
  readonly all: readonly WrongCell[]
  readonly corrected: ReadonlyMap<string, string>
  readonly onCorrect: (cells: readonly WrongCell[], value: string) => void
}

function CellField({ cell, all, corrected, onCorrect }: CellFieldProps) {
  const t = useMessages({ en, de })
  const { full } = useFormat()
  const { row, column, value, reasons, suggestions } = cell
  const valueOf = (one: WrongCell) => corrected.get(keyOfCell(one)) ?? one.value
  const now = valueOf(cell)
  const equal = all.filter((one) => one.column === column && one.value === value && valueOf(one) !== now)
  const name = { row: full(row), column }
  const press = (cells: readonly WrongCell[], text: string) => (event: MouseEvent) => {
    onCorrect(cells, text)
    focusInput(event)
  }
  return (
    <div className="stack import-fix-cell">
      <Field label={t('correctCell', name)} hint={<Reasons reasons={reasons} />}>
        {(ids) => <input {...ids} value={now} onChange={({ target }) => onCorrect([cell], target.value)} />}
      </Field>
      <div className="row">
        {suggestions
          .filter((suggestion) => suggestion !== now)
          .map((suggestion) => (
            <button key={suggestion} type="button" className="button button-small" onClick={press([cell], suggestion)}>
              <span className="import-cell">{t('correctTake', { value: suggestion })}</span>
            </button>
          ))}
        {now !== value && equal.length > 0 && (
          <button type="button" className="button button-small" onClick={press(equal, now)}>
            {t('correctEqual', { count: equal.length })}
          </button>
        )}
      </div>
    </div>
  )
}

const Reasons = ({ reasons }: Pick<WrongCell, 'reasons'>) => (
  <span className="import-fix-reason">
    {reasons.map((reason) => (
      <span key={reason.message}>
        <Tell text={reason} />{' '}
      </span>
    ))}
  </span>
)

/** A button that was pressed goes away, so the focus moves to the input of its cell. */
const focusInput = ({ currentTarget }: MouseEvent): void =>
  currentTarget.closest('.import-fix-cell')?.querySelector('input')?.focus()
