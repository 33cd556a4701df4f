// What a restatement moves: in total, by cause, and by year.
import { lazy, Suspense } from 'react'
import { DataTable, type Column } from '../components/data-table.tsx'
import { Figure } from '../components/figure.tsx'
import { Loading } from '../components/loading-and-error.tsx'
import { Tile } from '../components/tile.tsx'
import { KG } from '../emissions/kilograms.ts'
import { useFormat } from '../i18n/format.ts'
import { useMessages } from '../i18n/language.tsx'
import {
  explainAfter,
  explainBefore,
  explainCause,
  explainDifference,
  explainYear,
  afterOf,
} from './explain-restatement.ts'
import de from './messages.de.json'
import en from './messages.en.json'
import { causesIn, type Preview, type State } from './use-restatements.ts'

const BridgeChart = lazy(async () => ({ default: (await import('./bridge-chart.tsx')).BridgeChart }))

export interface PreviewViewProps {
  readonly preview: Preview
  readonly state: State
}

export function PreviewView({ preview, state }: PreviewViewProps) {
  const t = useMessages({ en, de })
  const { day } = useFormat()
  const { counts_from: countsFrom, years } = preview
  return (
    <>
      <Sums preview={preview} />
      {countsFrom !== null && (
        <p className="note">
          {t('countsFrom', { day: day(countsFrom) })} {state === 'previewed' && t('reopenHelp')}
        </p>
      )}
      <Suspense fallback={<Loading />}>
        <BridgeChart preview={preview} />
      </Suspense>
      {years.length > 0 && <Years preview={preview} isPosted={state === 'applied'} />}
    </>
  )
}

function Sums({ preview }: { readonly preview: Preview }) {
  const t = useMessages({ en, de })
  const { percent } = useFormat()
  const { before, difference, number_of_orders: orders, number_of_devices: devices } = preview
  const share = before === 0 ? null : difference / before
  return (
    <div className="restatement-tiles">
      <Tile
        title={t('before')}
        value={<Figure value={before} unit={KG} showsUnit why={() => explainBefore(preview, t)} />}
      >
        <p>{t('orders', { count: orders })}</p>
      </Tile>
      <Tile
        title={t('after')}
        value={<Figure value={afterOf(preview)} unit={KG} showsUnit why={() => explainAfter(preview, t)} />}
      >
        <p>{t('customers', { count: preview.number_of_customers })}</p>
      </Tile>
      <Tile
        title={t('difference')}
        value={<Figure value={difference} unit={KG} showsUnit showsSign why={() => explainDifference(preview, t)} />}
      >
        <p>
          {share !== null && (
            <>
              {`${share > 0 ? '+' : ''}${percent(share)}`}
              <br />
            </>
          )}
          {t('devicesMoved', { count: devices })}
        </p>
      </Tile>
    </div>
  )
}

type Year = Preview['years'][number]

function Years({ preview, isPosted }: { readonly preview: Preview; readonly isPosted: boolean }) {
  const t = useMessages({ en, de })
  const causes = causesIn(preview.bridge)
  const title = `${t('byYear')} (${KG})`
  const columns: readonly Column<Year>[] = [
    { key: 'year', header: t('year'), isName: true, cell: ({ year }) => year },
    {
      key: 'difference',
      header: t('difference'),
      isNumber: true,
      cell: (one) => <Figure value={one.difference} unit={KG} showsSign why={() => explainYear(one.year, one, t)} />,
    },
    ...causes.map((cause): Column<Year> => ({
      key: cause,
      header: t(cause),
      isNumber: true,
      cell: ({ year, bridge: { [cause]: value = null } }) => (
        <Figure
          value={value}
          unit={KG}
          showsSign
          why={value === null ? undefined : () => explainCause(String(year), cause, value, t)}
        />
      ),
    })),
  ]
  return (
    <section className="section" aria-labelledby="restatement-years">
      <h2 id="restatement-years">{title}</h2>
      <p className="muted">{t(isPosted ? 'byYearPosted' : 'byYearNote')}</p>
      <DataTable caption={title} columns={columns} rows={preview.years} keyOf={({ year }) => String(year)} />
    </section>
  )
}
