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
import type { QualityData } from './quality-data.ts'
import { KG } from '../emissions/kilograms.ts'

export function ImprovementsTable({ quality }: { readonly quality: QualityData }) {
  const t = useMessages({ en, de })
  const rows = quality.to_improve
  const nameOf = useLabelNames(rows.flatMap(({ footprint_id: bases }) => bases))
  const number = (key: 'total_emission' | 'width', header: string): Column<Improvement> => ({
    key,
    header: `${header} (${KG})`,
    isNumber: true,
    cell: (improvement) => (
      <Figure value={improvement[key]} unit={KG} why={explainImprovement(quality, improvement, key, t)} />
    ),
  })
  const columns: readonly Column<Improvement>[] = [
    { key: 'product', header: t('product'), isName: true, cell: ({ product_id: id }) => id },
    {
      key: 'charged',
      header: t('footprintUsed'),
      cell: ({ footprint_id: bases }) => bases.map((basis) => nameOf('model', basis)).join(', '),
    },
    number('total_emission', t('emission')),
    number('width', t('width')),
    { key: 'advice', header: t('advice'), cell: ({ improvements: all }) => all.map((one) => t(one)).join(', ') },
  ]
  if (rows.length === 0) return <Empty title={t('noImprovements')} />
  return (
    <section aria-labelledby="mend">
      <div className="row row-apart">
        <h2 id="mend">{t('improvementsTitle')}</h2>
        <Link className="button button-primary" href="/matching">
          {t('toMatching')}
        </Link>
      </div>
      <p className="lead">{t('improvementsHelp')}</p>
      <DataTable caption={t('improvementsTitle')} columns={columns} rows={rows} keyOf={({ product_id: id }) => id} />
    </section>
  )
}
