// The transports that an order may name, each with its factor.
import type { Schemas } from '../api/client.ts'
import { transportName, useTransports } from '../api/factor-lists.ts'
import { DataTable, type Column } from '../components/data-table.tsx'
import { Figure } from '../components/figure.tsx'
import { ChoiceFilter, FilterBar } from '../components/filter-bar.tsx'
import { useFilters } from '../components/filters.ts'
import { SourceCell } from '../components/source-line.tsx'
import { Loaded } from '../components/loading-and-error.tsx'
import { MODES, useModeName } from '../api-values/modes.ts'
import { useMessages } from '../i18n/language.tsx'
import { FactorName } from './factor-name.tsx'
import de from './messages.de.json'
import en from './messages.en.json'

type Transport = Schemas['Transportation']
const UNIT = 'kg CO₂e/t·km'

export function Transports() {
  const t = useMessages({ en, de })
  const modeName = useModeName()
  const { filters, setFilters } = useFilters(['mode'])
  const transports = useTransports()
  const columns: readonly Column<Transport>[] = [
    {
      key: 'name',
      header: t('transport'),
      isName: true,
      cell: (one) => <FactorName name={transportName(one)} id={one.transportation_id} origin={one.origin} />,
    },
    {
      key: 'factor',
      header: `${t('factor')} (${UNIT})`,
      isNumber: true,
      cell: (transport) => <Figure value={transport.emission_factor} unit={UNIT} why={() => explain(transport)} />,
    },
    { key: 'mode', header: t('mode'), cell: ({ transportation_mode: mode }) => modeName(mode) },
    {
      key: 'distance',
      header: t('distance'),
      cell: ({ distance_basis: basis }) => t(basis),
    },
    { key: 'source', header: t('source'), cell: ({ source }) => <SourceCell {...source} /> },
  ]
  const explain = ({ emission_factor: value, emission_factor_ttw: ofVehicle, source, ...transport }: Transport) => ({
    title: transportName(transport),
    value,
    unit: UNIT,
    notes: [t('wellToWheel'), t('tankToWheel', { value: ofVehicle, unit: UNIT })],
    methodology: 'METHODOLOGY.md#transport',
    source,
  })
  return (
    <div className="stack">
      <FilterBar onClear={null}>
        <ChoiceFilter
          label={t('mode')}
          value={filters.mode}
          choices={MODES.map((value) => ({ value, label: modeName(value) }))}
          onChange={(mode) => setFilters({ mode })}
        />
      </FilterBar>
      <Loaded query={transports}>
        {({ packagings: rows }) => (
          <DataTable
            caption={t('transports')}
            columns={columns}
            rows={rows.filter(({ transportation_mode: mode }) => filters.mode === '' || mode === filters.mode)}
            keyOf={({ transportation_id: id }) => id}
          />
        )}
      </Loaded>
    </div>
  )
}
