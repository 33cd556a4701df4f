// The electricity of rented devices by month and country: by place and by market, beside what was posted.
import { DataTable, type Column } from '../components/data-table.tsx'
import { Figure } from '../components/figure.tsx'
import { ChoiceFilter, FilterBar } from '../components/filter-bar.tsx'
import { useFilters } from '../components/filters.ts'
import { Empty, Loaded } from '../components/loading-and-error.tsx'
import { useLocalPages } from '../components/local-pages.ts'
import { KG } from '../emissions/kilograms.ts'
import { ValueFilter } from '../emissions/value-filter.tsx'
import { useFormat } from '../i18n/format.ts'
import { useMessages } from '../i18n/language.tsx'
import { Tell } from '../i18n/service-text.tsx'
import {
  explainEnergy,
  explainLocation,
  explainLosses,
  explainMarket,
  useElectricity,
  type ElectricityData,
  type ElectricityLine,
} from './electricity-data.ts'
import de from './messages.de.json'
import en from './messages.en.json'

const YEARS_BACK = 6
const PAGE_ROWS = 36

export function Electricity() {
  const t = useMessages({ en, de })
  const { filters, setFilters } = useFilters(['customer', 'year'])
  const electricity = useElectricity(filters.customer, filters.year)
  const thisYear = new Date().getUTCFullYear()
  const years = Array.from({ length: YEARS_BACK }, (_, at) => String(thisYear - 1 - at))
  return (
    <div className="stack">
      <FilterBar onClear={null}>
        <ValueFilter
          dimension="customer"
          label={t('customer')}
          value={filters.customer}
          onChange={(customer) => setFilters({ customer })}
        />
        <ChoiceFilter
          label={t('year')}
          value={filters.year}
          usual={String(thisYear)}
          choices={years.map((value) => ({ value, label: value }))}
          onChange={(year) => setFilters({ year })}
        />
      </FilterBar>
      <Loaded query={electricity}>
        {(data) =>
          data.months.length === 0 ? (
            <Empty title={t('noElectricity')}>
              <p>{t('noElectricityHelp')}</p>
            </Empty>
          ) : (
            <>
              <Totals data={data} />
              <MonthTable data={data} />
            </>
          )
        }
      </Loaded>
    </div>
  )
}

function Totals({ data }: { readonly data: ElectricityData }) {
  const t = useMessages({ en, de })
  const { total, notes, number_of_rentals_without_kwh: unknown } = data
  const all = [
    ['energy', total.kwh, data.energy_unit],
    ['locationBased', total.location_based_emission, KG],
    ['marketBased', total.market_based_emission, KG],
    ['gridLosses', total.losses_emission, KG],
  ] as const
  return (
    <section className="card" aria-labelledby="electricity-total">
      <h2 id="electricity-total">{t('electricityTotal', { year: String(data.year) })}</h2>
      <dl className="facts reports-electricity-facts">
        {all.map(([name, value, unit]) => (
          <div key={name}>
            <dt>{t(name)}</dt>
            <dd>
              <Figure value={value} unit={unit} showsUnit />
            </dd>
          </div>
        ))}
      </dl>
      {unknown > 0 && <p>{t('withoutEnergy', { count: unknown })}</p>}
      {total.location_based_kwh_without_factor > 0 && <p>{t('withoutFactor')}</p>}
      {notes.map((note) => (
        <p key={note.code} className="muted">
          <Tell text={note} />
        </p>
      ))}
    </section>
  )
}

function MonthTable({ data }: { readonly data: ElectricityData }) {
  const t = useMessages({ en, de })
  const [rows, paging] = useLocalPages(data.months, PAGE_ROWS, data.call)
  const columns = useColumns(data)
  return (
    <DataTable
      caption={t('electricity')}
      columns={columns}
      rows={rows}
      keyOf={({ month, country }) => `${month} ${country ?? ''}`}
      paging={paging}
    />
  )
}

function useColumns(data: ElectricityData): readonly Column<ElectricityLine>[] {
  const t = useMessages({ en, de })
  const { month: monthName, country: countryName } = useFormat()
  const placeOf = ({ country }: ElectricityLine) => (country === null ? t('noCountry') : countryName(country))
  const titleOf = (line: ElectricityLine, what: string) => `${monthName(line.month)}, ${placeOf(line)}: ${what}`
  return [
    { key: 'month', header: t('month'), isName: true, cell: ({ month }) => monthName(month) },
    { key: 'country', header: t('country'), cell: placeOf },
    {
      key: 'energy',
      header: `${t('energy')} (${data.energy_unit})`,
      isNumber: true,
      cell: (line) => {
        const why = explainEnergy(data, titleOf(line, t('energy')), line, t)
        return <Figure value={line.kwh} unit={data.energy_unit} why={why} />
      },
    },
    {
      key: 'location',
      header: `${t('locationBased')} (${KG})`,
      isNumber: true,
      cell: (line) => {
        const why = explainLocation(data, titleOf(line, t('locationBased')), line, t)
        return <Figure value={line.location_based?.emission ?? null} unit={KG} why={why} />
      },
    },
    {
      key: 'market',
      header: `${t('marketBased')} (${KG})`,
      isNumber: true,
      cell: (line) => {
        const why = explainMarket(data, titleOf(line, t('marketBased')), line, t)
        return <Figure value={line.market_based.emission} unit={KG} why={why} />
      },
    },
    {
      key: 'losses',
      header: `${t('gridLosses')} (${KG})`,
      isNumber: true,
      cell: (line) => {
        const why = explainLosses(data, titleOf(line, t('gridLosses')), line)
        return <Figure value={line.losses?.emission ?? null} unit={KG} why={why} />
      },
    },
    { key: 'state', header: t('monthState'), cell: ({ state }) => t(`state_${state}`) },
  ]
}
