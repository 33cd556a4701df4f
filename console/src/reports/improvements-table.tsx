// The products whose estimates could move the most, each with what would narrow it.
import { Link } from 'wouter'
import { DataTable, type Column } from '../components/data-table.tsx'
import { Figure } from '../components/figure.tsx'
import { Empty } from '../components/loading-and-error.tsx'
import { useMessages } from '../i18n/language.tsx'
import { explainImprovement, type Improvement } from './explain-quality.ts'
import { useLabelNames } from '../emissions/label-names.ts'
import de from './messages.de.json'
import en from './messages.en.json'
import type { Board } from './quality-data.ts'
import { KG } from '../emissions/kilograms.ts'

export function ImprovementsTable({ board }: { readonly board: Board }) {
  const say = useMessages({ en, de })
  const rows = board.to_improve
  const nameOf = useLabelNames(rows.flatMap(({ footprint_id: bases }) => bases))
  const number = (key: 'total_emission' | 'width', header: string): Column<Improvement> => ({
    key,
    header: `${header} (${KG})`,
    isNumber: true,
    cell: (mend) => <Figure value={mend[key]} unit={KG} why={explainImprovement(board, mend, key, say)} />,
  })
  const columns: readonly Column<Improvement>[] = [
    { key: 'product', header: say('product'), isName: true, cell: ({ product_id: id }) => id },
    {
      key: 'charged',
      header: say('chargedBy'),
      cell: ({ footprint_id: bases }) => bases.map((basis) => nameOf('model', basis)).join(', '),
    },
    number('total_emission', say('emission')),
    number('width', say('width')),
    { key: 'advice', header: say('advice'), cell: ({ improvements: all }) => all.map((one) => say(one)).join(', ') },
  ]
  if (rows.length === 0) return <Empty title={say('mendNone')} />
  return (
    <section aria-labelledby="mend">
      <div className="row row-apart">
        <h2 id="mend">{say('mendTitle')}</h2>
        <Link className="button button-primary" href="/matching">
          {say('toMatching')}
        </Link>
      </div>
      <p className="lead">{say('mendHelp')}</p>
      <DataTable caption={say('mendTitle')} columns={columns} rows={rows} keyOf={({ product_id: id }) => id} />
    </section>
  )
}
