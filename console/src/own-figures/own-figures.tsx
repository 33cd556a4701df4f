// Figures of the account's own, which take the place of the catalogue's: kind by kind, in forms or as a file.
import { lazy, Suspense, useState } from 'react'
import { Link } from 'wouter'
import { DataTable, type Column } from '../components/data-table.tsx'
import { Figure } from '../components/figure.tsx'
import { ChoiceFilter, FilterBar } from '../components/filter-bar.tsx'
import { useFilters } from '../components/filters.ts'
import { Empty, Loaded } from '../components/loading-and-error.tsx'
import { useToast } from '../components/toast.tsx'
import { useTypeName } from '../emissions/label-names.ts'
import { useFormat } from '../i18n/format.ts'
import { useMessages } from '../i18n/language.tsx'
import { useSession } from '../session/session.tsx'
import { idsOf } from './figure-table.ts'
import { KINDS, type FigureKind } from './kinds.ts'
import de from './messages.de.json'
import en from './messages.en.json'
import { TableFile } from './table-file.tsx'
import { useFigures, type OwnFigure } from './use-figures.ts'
import { WithdrawFigure } from './withdraw-figure.tsx'
import './own-figures.css'

const FigureForm = lazy(async () => ({ default: (await import('./figure-form.tsx')).FigureForm }))

export function OwnFigures() {
  const t = useMessages({ en, de })
  const { may } = useSession()
  const { filters, setFilters } = useFilters(['kind'])
  const kind = KINDS.find(({ name }) => name === filters.kind) ?? KINDS[0]!
  return (
    <div className="stack">
      <div className="note row">
        <span>{t('storedOrders')}</span>
        {may('admin') && (
          <Link className="button" href="/restatements/new?own=current">
            {t('restate')}
          </Link>
        )}
      </div>
      <FilterBar onClear={null}>
        <ChoiceFilter
          label={t('kind')}
          value={kind === KINDS[0] ? '' : kind.name}
          usual={t('kind-models')}
          choices={KINDS.slice(1).map(({ name }) => ({ value: name, label: t(`kind-${name}`) }))}
          onChange={(name) => setFilters({ kind: name })}
        />
      </FilterBar>
      <OfKind key={kind.name} kind={kind} />
    </div>
  )
}

function OfKind({ kind }: { readonly kind: FigureKind }) {
  const t = useMessages({ en, de })
  const toast = useToast()
  const { may } = useSession()
  const figures = useFigures(kind)
  /** Null where none is filled in, 'new' for one that is not stored yet. */
  const [edited, setEdited] = useState<OwnFigure | 'new' | null>(null)
  return (
    <section className="stack" aria-labelledby="own-figures">
      <div className="section">
        <div className="row row-apart">
          <h2 id="own-figures">{t(`kind-${kind.name}`)}</h2>
          {may('admin') && (
            <button className="button button-primary" onClick={() => setEdited('new')}>
              {t('add')}
            </button>
          )}
        </div>
        <p className="muted">{t(`use-${kind.name}`)}</p>
        {!may('admin') && <p className="muted">{t('readOnly')}</p>}
      </div>
      <Loaded query={figures}>
        {(all) => (
          <>
            {all.length === 0 ? (
              <Empty title={t('none')}>
                <p>{t('noneHelp')}</p>
              </Empty>
            ) : (
              <Table kind={kind} figures={all} onEdit={may('admin') ? setEdited : null} />
            )}
            <TableFile kind={kind} figures={all} />
          </>
        )}
      </Loaded>
      {edited !== null && (
        <Suspense>
          <FigureForm
            kind={kind}
            replaced={edited === 'new' ? null : edited}
            onClose={() => setEdited(null)}
            onStored={(id) => {
              setEdited(null)
              toast(t('stored', { id }), t('storedHelp'))
            }}
          />
        </Suspense>
      )}
    </section>
  )
}

/** @returns what a figure is called */
function useFigureName(kind: FigureKind): (figure: OwnFigure) => string {
  const typeName = useTypeName()
  const { country } = useFormat()
  return (figure) => {
    const { country: code, year } = idsOf(kind, figure.id)
    if (kind.name === 'grid') return `${country(code!)}, ${year}`
    if (kind.name === 'lifetimes') return typeName(figure.id)
    return [figure['brand'], figure['name']].filter((word) => typeof word === 'string').join(' ')
  }
}

interface TableProps {
  readonly kind: FigureKind
  readonly figures: readonly OwnFigure[]
  readonly onEdit: ((figure: OwnFigure) => void) | null
}

const textOf = (figure: OwnFigure, name: string): string => {
  const value = figure[name]
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

function Table({ kind, figures, onEdit }: TableProps) {
  const t = useMessages({ en, de })
  const { day } = useFormat()
  const nameOf = useFigureName(kind)
  const unit = kind.name === 'lifetimes' ? t('months') : kind.unit
  const mainOf = (figure: OwnFigure) => Number(figure[kind.main] ?? figure['production_kg_co2e'])
  const explain = (figure: OwnFigure) => ({
    title: nameOf(figure),
    value: mainOf(figure),
    unit,
    notes: [t('ownNote', { version: figure.version }), textOf(figure, 'note')].filter((note) => note !== ''),
    source: {
      title: textOf(figure, 'source_title'),
      publisher: textOf(figure, 'source_publisher'),
      year: Number(figure['year']) || null,
      url: textOf(figure, 'source_url'),
      licence: textOf(figure, 'licence'),
    },
    methodology: 'METHODOLOGY.md#own-figures',
  })
  const columns: readonly Column<OwnFigure>[] = [
    {
      key: 'name',
      header: t('figure'),
      isName: true,
      cell: (figure) => (
        <>
          {nameOf(figure)}
          <br />
          <code className="muted">{figure.id}</code>
        </>
      ),
    },
    {
      key: 'main',
      header: `${t(`field-${kind.main}`)} (${unit})`,
      isNumber: true,
      cell: (figure) => <Figure value={mainOf(figure)} unit={unit} why={() => explain(figure)} />,
    },
    { key: 'source', header: t('source'), cell: (figure) => textOf(figure, 'source_publisher') },
    {
      key: 'version',
      header: t('version'),
      cell: ({ version, created_at: at }) => (
        <span className="unbroken">{t('versionSince', { version, day: day(at.slice(0, 10)) })}</span>
      ),
    },
    ...(onEdit
      ? [
          {
            key: 'actions',
            header: t('actions'),
            cell: (figure: OwnFigure) => (
              <span className="row">
                <button
                  className="button button-small"
                  aria-label={t('editThis', { name: nameOf(figure) })}
                  onClick={() => onEdit(figure)}
                >
                  {t('edit')}
                </button>
                <WithdrawFigure kind={kind} figure={figure} name={nameOf(figure)} />
              </span>
            ),
          },
        ]
      : []),
  ]
  return <DataTable caption={t(`kind-${kind.name}`)} columns={columns} rows={figures} keyOf={({ id }) => id} />
}
