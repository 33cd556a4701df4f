// How far the matching is: the share of the kilograms that hang on product ids which somebody said what they are.
import { DataTable, type Column } from '../components/data-table.tsx'
import { Figure } from '../components/figure.tsx'
import { Loaded } from '../components/loading-and-error.tsx'
import { KG } from '../emissions/kilograms.ts'
import { useFormat } from '../i18n/format.ts'
import { useMessages } from '../i18n/language.tsx'
import { explainShare, explainSum } from './explain-product.ts'
import de from './messages.de.json'
import en from './messages.en.json'
import { postedOn, useSums, type Sums } from './products.ts'

export function Progress() {
  const sums = useSums()
  return <Loaded query={sums}>{(told) => told.length > 0 && <Shown sums={told} />}</Loaded>
}

const percentOf = (part: number, whole: number): number => (whole === 0 ? 0 : Number(((100 * part) / whole).toFixed(1)))

function Shown({ sums }: { readonly sums: Sums }) {
  const t = useMessages({ en, de })
  const { percent } = useFormat()
  const whole = postedOn(sums)
  const mapped = postedOn(sums.filter(({ state }) => state === 'mapped'))
  const share = percentOf(mapped, whole)
  const columns: readonly Column<Sums[number]>[] = [
    { key: 'state', header: t('matchMethod'), isName: true, cell: ({ state }) => t(state) },
    {
      key: 'count',
      header: t('ids'),
      isNumber: true,
      cell: (sum) => (
        <Figure value={sum.number_of_products} unit={t('productIds')} why={() => explainSum(sum, 'count', t)} />
      ),
    },
    {
      key: 'posted',
      header: KG,
      isNumber: true,
      cell: (sum) => <Figure value={sum.posted_emission} unit={KG} why={() => explainSum(sum, 'posted', t)} />,
    },
  ]
  return (
    <section className="card matching-progress" aria-labelledby="matching-progress">
      <div>
        <h2 id="matching-progress">{t('progress')}</h2>
        <p className="matching-share">
          <Figure value={share} unit="%" showsUnit why={() => explainShare(sums, share, t)} />
        </p>
        <div className="matching-bar" role="img" aria-label={t('progressSummary', { share: percent(share / 100) })}>
          <span style={{ width: `${share}%` }} />
        </div>
        <p className="muted">{t('progressHelp')}</p>
      </div>
      <DataTable caption={t('byState')} columns={columns} rows={sums} keyOf={({ state }) => state} />
    </section>
  )
}
