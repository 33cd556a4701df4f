// All restatements of the account, the latest first.
import { Link } from 'wouter'
import { useCursorPages, type Paging } from '../api/cursor-pages.ts'
import { DataTable, type Column } from '../components/data-table.tsx'
import { Figure } from '../components/figure.tsx'
import { Empty, Loaded } from '../components/loading-and-error.tsx'
import { KG } from '../emissions/kilograms.ts'
import { useFormat } from '../i18n/format.ts'
import { useMessages } from '../i18n/language.tsx'
import { Page } from '../layout/page.tsx'
import { useSession } from '../session/session.tsx'
import { StateTag, useDescription } from './described.tsx'
import { explainDifference } from './explain-restatement.ts'
import de from './messages.de.json'
import en from './messages.en.json'
import { pathOfRestatement, useRestatements, type Restatement } from './use-restatements.ts'

export function RestatementList() {
  const t = useMessages({ en, de })
  const { may } = useSession()
  const { cursor, pagingTo } = useCursorPages()
  const restatements = useRestatements(cursor)
  return (
    <Page
      title={t('restatements')}
      lead={t('lead')}
      actions={
        may('admin') && (
          <Link href="/restatements/new" className="button button-primary">
            {t('newRestatement')}
          </Link>
        )
      }
    >
      <div className="stack">
        {!may('admin') && <p className="muted">{t('readOnly')}</p>}
        <Loaded query={restatements}>
          {({ data, next }) =>
            data.restatements.length === 0 && cursor === undefined ? (
              <Empty title={t('none')}>
                <p>{t('noneHelp')}</p>
              </Empty>
            ) : (
              <Table restatements={data.restatements} paging={pagingTo(next)} />
            )
          }
        </Loaded>
      </div>
    </Page>
  )
}

interface TableProps {
  readonly restatements: readonly Restatement[]
  readonly paging: Paging
}

function Table({ restatements, paging }: TableProps) {
  const t = useMessages({ en, de })
  const { time } = useFormat()
  const describe = useDescription()
  const columns: readonly Column<Restatement>[] = [
    {
      key: 'reason',
      header: t('reason'),
      isName: true,
      cell: (one) => (
        <span className="restatement-reason">
          <Link href={pathOfRestatement(one.restatement_id)}>{one.reason}</Link>
        </span>
      ),
    },
    { key: 'state', header: t('state'), cell: ({ state }) => <StateTag state={state} /> },
    {
      key: 'difference',
      header: `${t('difference')} (${KG})`,
      isNumber: true,
      cell: ({ preview }) => (
        <Figure
          value={preview?.difference ?? null}
          unit={KG}
          showsSign
          why={preview ? () => explainDifference(preview, t) : undefined}
        />
      ),
    },
    { key: 'orders', header: t('scope'), cell: (one) => describe(one).orders },
    { key: 'figures', header: t('figures'), cell: (one) => describe(one).figures },
    {
      key: 'time',
      header: t('requested'),
      cell: ({ created_at: at, key }) => (
        <>
          <span className="unbroken">{time(at)}</span>
          <br />
          <code className="muted unbroken">{key}</code>
        </>
      ),
    },
  ]
  return (
    <DataTable
      caption={t('restatements')}
      columns={columns}
      rows={restatements}
      keyOf={({ restatement_id: id }) => String(id)}
      paging={paging}
    />
  )
}
