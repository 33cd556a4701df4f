// The corrections of an order: when its content was corrected, why, and what it said before and after.
import { Link } from 'wouter'
import type { Schemas } from '../api/client.ts'
import { DataTable, type Column } from '../components/data-table.tsx'
import { useLocalPages } from '../components/local-pages.ts'
import { RecordedAt } from '../components/recorded-at.tsx'
import { useMessages } from '../i18n/language.tsx'
import { useChangeTexts } from './change-texts.ts'
import './correction-list.css'
import de from './messages.de.json'
import en from './messages.en.json'

type Correction = Schemas['OrderCorrection']

const PAGE_ROWS = 10

export function CorrectionList({ corrections }: { readonly corrections: readonly Correction[] }) {
  const t = useMessages({ en, de })
  const [shown, paging] = useLocalPages(corrections, PAGE_ROWS)
  const columns: readonly Column<Correction>[] = [
    {
      key: 'time',
      header: t('correctedAt'),
      isName: true,
      cell: ({ corrected_at: at, recorded_by: by, event_id: id }) => (
        <>
          <RecordedAt at={at} by={by} />
          <div className="correction-id muted">{t('event', { id })}</div>
        </>
      ),
    },
    { key: 'changes', header: t('changes'), cell: (correction) => <Changes {...correction} /> },
    { key: 'reason', header: t('reasonGiven'), cell: ({ reason }) => reason ?? '–' },
  ]
  return (
    <section className="section" aria-label={t('corrections')}>
      <div>
        <h2>{t('corrections')}</h2>
        <p className="muted">{t('correctionsLead')}</p>
      </div>
      <DataTable
        caption={t('corrections')}
        columns={columns}
        rows={shown}
        keyOf={({ event_id: id }) => id}
        paging={paging}
      />
    </section>
  )
}

/** The ids of corrections that restatements post begin with the number of the restatement. */
const OF_RESTATEMENT = /^restatement-([1-9]\d*)-/

function Changes({ changes, event_id: id }: Pick<Correction, 'changes' | 'event_id'>) {
  const t = useMessages({ en, de })
  const { nameOf, valueOf } = useChangeTexts()
  const [, restatement] = OF_RESTATEMENT.exec(id) ?? []
  if (restatement !== undefined && changes.length === 0)
    return (
      <>
        {t('restated')} <Link href={`/restatements/${restatement}`}>{t('toRestatement', { id: restatement })}</Link>
      </>
    )
  return (
    <>
      <ul className="bare correction-changes">
        {changes.map(({ path, before, after }) => (
          <li key={path}>
            <span className="muted">{nameOf(path)}:</span> {valueOf(path, before)} → {valueOf(path, after)}
          </li>
        ))}
      </ul>
      {changes.length >= CHANGES_MAX && <p className="muted">{t('moreChanges', { count: CHANGES_MAX })}</p>}
    </>
  )
}

/** More than these the service does not list. */
const CHANGES_MAX = 50
