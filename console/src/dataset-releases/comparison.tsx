// The figures that differ between two releases: how many by kind, and each of them page by page.
import { useState } from 'react'
import { Link } from 'wouter'
import { DataTable, type Column } from '../components/data-table.tsx'
import { ChoiceField } from '../components/fields.tsx'
import { Figure } from '../components/figure.tsx'
import { Loaded } from '../components/loading-and-error.tsx'
import { useFormat } from '../i18n/format.ts'
import { useMessages } from '../i18n/language.tsx'
import de from './messages.de.json'
import en from './messages.en.json'
import './releases.css'
import { useReleaseChanges, type Release, type ReleaseChanges } from './use-releases.ts'

type Change = ReleaseChanges['changes'][number]
type Kind = keyof typeof en & `kind-${string}`

interface ComparisonProps {
  readonly releases: readonly Release[]
  /** The release of new orders. */
  readonly inForce: string
}

export function Comparison({ releases, inForce }: ComparisonProps) {
  const t = useMessages({ en, de })
  const newest = releases.find(({ is_newest: isNewest }) => isNewest)?.id ?? inForce
  const other = releases.find(({ id }) => id !== inForce)!.id
  // What a pinned account would move to; of one that follows the newest, what it came from.
  const [from, setFrom] = useState(newest === inForce ? other : inForce)
  const [to, setTo] = useState(newest)
  const choices = releases.map(({ id }) => ({ value: id, label: id }))
  return (
    <section className="section" aria-labelledby="release-comparison">
      <h3 id="release-comparison">{t('compare')}</h3>
      <div className="settings-pair">
        <ChoiceField label={t('from')} value={from} choices={choices} onChange={setFrom} />
        <ChoiceField label={t('to')} value={to} choices={choices} onChange={setTo} />
      </div>
      {from === to ? (
        <p className="muted">{t('sameRelease')}</p>
      ) : (
        <Changes key={`${from} ${to}`} from={from} to={to} />
      )}
      <p className="row">
        <Link className="button" href={`/restatements/new?release=${encodeURIComponent(to)}`}>
          {t('restateOnto')}
        </Link>
        <span className="muted">{t('restateHelp')}</span>
      </p>
    </section>
  )
}

function Changes({ from, to }: { readonly from: string; readonly to: string }) {
  const t = useMessages({ en, de })
  /** Cursors of the pages before and of this one; that of the first is null. */
  const [trail, setTrail] = useState<readonly (string | null)[]>([null])
  const changes = useReleaseChanges(from, to, trail.at(-1)!)
  return (
    <Loaded query={changes}>
      {({ data, next }) => (
        <>
          <Counts changes={data} />
          {data.other_files.length > 0 && (
            <p className="muted">{t('otherFiles', { files: data.other_files.join(', ') })}</p>
          )}
          {data.changes.length > 0 && (
            <ChangeTable
              changes={data.changes}
              paging={{
                page: trail.length,
                onNext: next === null ? null : () => setTrail([...trail, next]),
                onPrevious: trail.length > 1 ? () => setTrail(trail.slice(0, -1)) : null,
              }}
            />
          )}
        </>
      )}
    </Loaded>
  )
}

function Counts({ changes: { number_of_changes: counts } }: { readonly changes: ReleaseChanges }) {
  const t = useMessages({ en, de })
  const moved = Object.entries(counts).filter(([, { added, removed, changed }]) => added + removed + changed > 0)
  if (moved.length === 0) return <p>{t('noFigures')}</p>
  return (
    <ul className="release-counts">
      {moved.map(([kind, count]) => (
        <li key={kind}>
          {t(`kind-${kind}` as Kind)}: {t('counts', { ...count })}
        </li>
      ))}
    </ul>
  )
}

interface ChangeTableProps {
  readonly changes: readonly Change[]
  readonly paging: {
    readonly page: number
    readonly onNext: (() => void) | null
    readonly onPrevious: (() => void) | null
  }
}

function ChangeTable({ changes, paging }: ChangeTableProps) {
  const t = useMessages({ en, de })
  const { full, short } = useFormat()
  const columns: readonly Column<Change>[] = [
    {
      key: 'figure',
      header: t('figure'),
      isName: true,
      cell: ({ kind, key }) => (
        <>
          {t(`kind-${kind}` as Kind)}
          <br />
          <code className="release-key">{key.slice(kind.length + 1)}</code>
        </>
      ),
    },
    {
      key: 'old',
      header: t('old'),
      isNumber: true,
      cell: ({ old }) => (old === null ? '–' : <Figure value={old} unit="" />),
    },
    {
      key: 'new',
      header: t('new'),
      isNumber: true,
      cell: (one) => (one.new === null ? '–' : <Figure value={one.new} unit="" />),
    },
    {
      key: 'percent',
      header: t('change'),
      isNumber: true,
      cell: ({ percent, change }) =>
        percent === null ? (
          t(change)
        ) : (
          <span title={`${full(percent)} %`}>{`${percent > 0 ? '+' : ''}${short(percent)} %`}</span>
        ),
    },
  ]
  return <DataTable caption={t('compare')} columns={columns} rows={changes} keyOf={({ key }) => key} paging={paging} />
}
