// The cells at fault, mended here: the refused rows are then sent as a file of their own, as a dry run first.
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState, type MouseEvent } from 'react'
import { api, read } from '../api/client.ts'
import { Field } from '../components/fields.tsx'
import { Loaded } from '../components/loading-and-error.tsx'
import { useFormat } from '../i18n/format.ts'
import { useMessages } from '../i18n/language.tsx'
import { Tell, said } from '../i18n/service-text.tsx'
import { useSession } from '../session/session.tsx'
import { keyOfCell, readFixRowsFile, writeMended, type FaultyCell, type FixRowsFile } from './fix-rows-file.ts'
import de from './messages.de.json'
import en from './messages.en.json'
import type { Sender } from './upload.ts'
import { requestedAsRead, delimiterOf, formatOf, type ImportState } from './settings.ts'

/** More are mended faster in a spreadsheet. */
const ROWS_MAX = 100
/** The API's longest page: a row has at most 50 errors, but of few rows that is no matter. */
const FAULTY_ROWS = 1000

export interface FixRowsProps {
  readonly one: ImportState
  readonly sender: Sender
}

export function FixRows({ one, sender }: FixRowsProps) {
  const say = useMessages({ en, de })
  const { may } = useSession()
  const [isOpen, setOpen] = useState(false)
  if (!may('orders:write') || one.finished_at === null || formatOf(one) === 'jsonl') return null
  if (one.is_dry_run && one.orders_stored > 0) return <p className="muted">{say('mendLater')}</p>
  if (one.rows_rejected_stored === 0) return null
  if (one.rows_rejected > ROWS_MAX) return <p className="muted">{say('mendTooMany', { count: ROWS_MAX })}</p>
  return isOpen ? (
    <MendForm one={one} sender={sender} />
  ) : (
    <div className="row">
      <button className="button" onClick={() => setOpen(true)}>
        {say('mendHere')}
      </button>
    </div>
  )
}

function MendForm({ one, sender }: FixRowsProps) {
  const say = useMessages({ en, de })
  const file = useQuery({
    queryKey: ['import mend', one.import_id],
    queryFn: ({ signal }) => fetchMendFile(one, signal),
    staleTime: Infinity,
  })
  // The button that opened it is gone.
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <section className="stack import-mend" aria-label={say('mendHere')}>
      <h3 ref={heading} tabIndex={-1}>
        {say('mendHere')}
      </h3>
      <Loaded query={file}>{(found) => <MendFields one={one} sender={sender} file={found} />}</Loaded>
    </section>
  )
}

async function fetchMendFile(one: ImportState, signal: AbortSignal): Promise<FixRowsFile> {
  const path = { import_id: String(one.import_id) }
  const [text, errors] = await Promise.all([
    read(api.GET('/api/imports/{import_id}/rejected-rows', { params: { path }, parseAs: 'text', signal })),
    read(api.GET('/api/imports/{import_id}/errors', { params: { path, query: { limit: FAULTY_ROWS } }, signal })),
  ])
  return readFixRowsFile(text, delimiterOf(one), errors)
}

function MendFields({ one, sender, file }: FixRowsProps & { readonly file: FixRowsFile }) {
  const say = useMessages({ en, de })
  const [mended, setMended] = useState<ReadonlyMap<string, string>>(new Map())
  const mend = (cells: readonly FaultyCell[], value: string) =>
    setMended((before) => new Map([...before, ...cells.map((cell) => [keyOfCell(cell), value] as const)]))
  const send = () =>
    sender.send({
      file: new File([...writeMended(file, mended, delimiterOf(one))], nameOf(one), { type: 'text/csv' }),
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
      {file.others.length > 0 && <p className="muted">{say('mendOthers', { count: file.others.length })}</p>}
      <div className="fields import-mend-cells">
        {file.cells.map((cell) => (
          <CellField key={keyOfCell(cell)} cell={cell} all={file.cells} mended={mended} onMend={mend} />
        ))}
      </div>
      <div className="row">
        <button className="button button-primary" disabled={mended.size === 0}>
          {say('mendTry')}
        </button>
        <p className="muted">{say('mendTryMeans')}</p>
      </div>
    </form>
  )
}

const nameOf = ({ file_name: name, import_id: id }: ImportState): string =>
  `${(name ?? `import-${id}`).replace(/\.(csv|xlsx)$/i, '').replace(/-mended$/, '')}-mended.csv`

interface CellFieldProps {
  readonly cell: FaultyCell
  readonly all: readonly FaultyCell[]
  readonly mended: ReadonlyMap<string, string>
  readonly onMend: (cells: readonly FaultyCell[], value: string) => void
}

function CellField({ cell, all, mended, onMend }: CellFieldProps) {
  const say = useMessages({ en, de })
  const { full } = useFormat()
  const { row, column, value, reasons, suggestion } = cell
  const valueOf = (one: FaultyCell) => mended.get(keyOfCell(one)) ?? one.value
  const now = valueOf(cell)
  const equal = all.filter((one) => one.column === column && one.value === value && valueOf(one) !== now)
  const name = { row: full(row), column }
  const press = (cells: readonly FaultyCell[], text: string) => (event: MouseEvent) => {
    onMend(cells, text)
    focusInput(event)
  }
  return (
    <div className="stack import-mend-cell">
      <Field label={say('mendCell', name)} hint={<Reasons reasons={reasons} />}>
        {(ids) => <input {...ids} value={now} onChange={({ target }) => onMend([cell], target.value)} />}
      </Field>
      <div className="row">
        {suggestion !== null && suggestion !== now && (
          <button type="button" className="button button-small" onClick={press([cell], suggestion)}>
            <span className="import-written">{say('mendTake', { value: suggestion })}</span>
          </button>
        )}
        {now !== value && equal.length > 0 && (
          <button type="button" className="button button-small" onClick={press(equal, now)}>
            {say('mendEqual', { count: equal.length })}
          </button>
        )}
      </div>
    </div>
  )
}

const Reasons = ({ reasons }: Pick<FaultyCell, 'reasons'>) => (
  <span className="import-mend-reason">
    {reasons.map((reason) => (
      <span key={reason}>
        <Tell text={said(reason)} />{' '}
      </span>
    ))}
  </span>
)

/** A button that did what it is for goes away, and the focus stays with its cell. */
const focusInput = ({ currentTarget }: MouseEvent): void =>
  currentTarget.closest('.import-mend-cell')?.querySelector('input')?.focus()
