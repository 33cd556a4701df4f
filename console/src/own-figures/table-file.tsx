// Own figures as a file: downloaded, filled in elsewhere, and uploaded; what is wrong with it is listed row by row.
import { useState } from 'react'
import { Problem } from '../api/problem.ts'
import { downloadCsv } from '../charts/download.ts'
import { DataTable, type Column } from '../components/data-table.tsx'
import { ProblemNotice } from '../components/loading-and-error.tsx'
import { useLocalPages } from '../components/local-pages.ts'
import { useToast } from '../components/toast.tsx'
import { useMessages } from '../i18n/language.tsx'
import { Tell } from '../i18n/service-text.tsx'
import { useSession } from '../session/session.tsx'
import { tableOf } from './figure-table.ts'
import type { FigureKind } from './kinds.ts'
import de from './messages.de.json'
import en from './messages.en.json'
import { useTableImport, type OwnFigure } from './use-figures.ts'

export interface TableFileProps {
  readonly kind: FigureKind
  readonly figures: readonly OwnFigure[]
}

export function TableFile({ kind, figures }: TableFileProps) {
  const t = useMessages({ en, de })
  const toast = useToast()
  const { may } = useSession()
  const [hasNewVersions, setNewVersions] = useState(false)
  const { mutate, isPending, error } = useTableImport(kind, (count, changes) =>
    toast(t('uploaded', { count }), t('uploadedHelp', { changes })),
  )
  const title = t(`kind-${kind.name}`)
  return (
    <section className="card section" aria-labelledby="own-file">
      <h3 id="own-file">{t('file')}</h3>
      <p className="muted">{t('fileHelp')}</p>
      <div className="row">
        <button className="button" onClick={() => downloadCsv(title, tableOf(kind, figures))}>
          {t(figures.length === 0 ? 'template' : 'download')}
        </button>
        {may('admin') && (
          <label className="button file-area">
            {t(isPending ? 'uploading' : 'upload')}
            <input
              type="file"
              accept=".csv,text/csv"
              disabled={isPending}
              onChange={({ target }) => {
                const file = target.files?.[0]
                if (file) mutate({ file, hasNewVersions })
                // The same file may be chosen again once it is corrected.
                target.value = ''
              }}
            />
          </label>
        )}
      </div>
      {may('admin') && (
        <label className="row">
          <input type="checkbox" checked={hasNewVersions} onChange={({ target }) => setNewVersions(target.checked)} />
          {t('newVersions')}
        </label>
      )}
      {error && <Refused problem={error} />}
    </section>
  )
}

type Detail = Problem['details'][number]

const PAGE_ROWS = 10
const isOfRow = ({ path }: Detail): boolean => /^\/\d+/.test(path)

function Refused({ problem }: { readonly problem: Error }) {
  const t = useMessages({ en, de })
  const details = problem instanceof Problem ? problem.details : []
  const [shown, paging] = useLocalPages(details, PAGE_ROWS)
  if (details.length === 0 || !details.every(isOfRow)) return <ProblemNotice problem={problem} />
  const partsOf = ({ path }: Detail) => path.slice(1).split('/')
  const columns: readonly Column<Detail>[] = [
    { key: 'row', header: t('row'), isName: true, cell: (one) => partsOf(one)[0] },
    { key: 'column', header: t('column'), cell: (one) => <code>{partsOf(one).slice(1).join('/')}</code> },
    { key: 'error', header: t('error'), cell: (one) => <ErrorText {...one} /> },
  ]
  return (
    <>
      <div className="problem" role="alert">
        <p className="problem-title">{t('refused', { count: details.length })}</p>
      </div>
      <DataTable
        caption={t('errors')}
        columns={columns}
        rows={shown}
        keyOf={({ path, message }) => `${path} ${message}`}
        paging={paging}
      />
    </>
  )
}

const ErrorText = (detail: Detail) => (
  <span className="own-error">
    <Tell text={detail} />
  </span>
)
