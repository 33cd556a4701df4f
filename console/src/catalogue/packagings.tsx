// The packagings that an order may name, each with its factor.
import type { Schemas } from '../api/client.ts'
import { materialName, packagingName, usePackagings } from '../api/factor-lists.ts'
import { DataTable, type Column } from '../components/data-table.tsx'
import { Figure } from '../components/figure.tsx'
import { SourceCell } from '../components/source-line.tsx'
import { Loaded } from '../components/loading-and-error.tsx'
import { useMessages } from '../i18n/language.tsx'
import { Tell } from '../i18n/service-text.tsx'
import { FactorName } from './factor-name.tsx'
import de from './messages.de.json'
import en from './messages.en.json'

type Packaging = Schemas['Packaging']
const UNIT = 'kg CO₂e/kg'

export function Packagings() {
  const t = useMessages({ en, de })
  const packagings = usePackagings()
  const columns: readonly Column<Packaging>[] = [
    {
      key: 'name',
      header: t('packaging'),
      isName: true,
      cell: (one) => <FactorName name={packagingName(one)} id={one.packaging_id} origin={one.origin} />,
    },
    {
      key: 'factor',
      header: `${t('factor')} (${UNIT})`,
      isNumber: true,
      cell: (packaging) => <Figure value={packaging.emission_factor} unit={UNIT} why={() => explain(packaging)} />,
    },
    { key: 'material', header: t('material'), cell: (one) => <Tell text={materialName(one)} /> },
    { key: 'source', header: t('source'), cell: ({ source }) => <SourceCell {...source} /> },
  ]
  const explain = ({ emission_factor: value, is_proxy: isProxy, source, ...packaging }: Packaging) => ({
    title: packagingName(packaging),
    value,
    unit: UNIT,
    notes: [t('cradleToGate')],
    ...(isProxy && { type: 'indicative' as const }),
    methodology: 'METHODOLOGY.md#packaging',
    source,
  })
  return (
    <Loaded query={packagings}>
      {({ packagings: rows }) => (
        <DataTable caption={t('packagings')} columns={columns} rows={rows} keyOf={({ packaging_id: id }) => id} />
      )}
    </Loaded>
  )
}
