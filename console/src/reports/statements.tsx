// Statements: a customer's years to download, and how whoever gets one checks it.
import { useStatementKey } from '../api/statement-key.ts'
import { CodeToCopy } from '../components/copyable-code.tsx'
import { FilterBar } from '../components/filter-bar.tsx'
import { useFilters } from '../components/filters.ts'
import { Empty, Loaded } from '../components/loading-and-error.tsx'
import { useFormat } from '../i18n/format.ts'
import { useMessages } from '../i18n/language.tsx'
import de from './messages.de.json'
import en from './messages.en.json'
import { RuleFilter } from '../emissions/boundary-filter.tsx'
import { CONSOLIDATION_APPROACHES, wordOf } from '../emissions/inventory-boundary.ts'
import { StatementTable } from './statement-table.tsx'
import { ValueFilter } from '../emissions/value-filter.tsx'

export function Statements() {
  const t = useMessages({ en, de })
  const { filters, setFilters } = useFilters(['customer', 'consolidation_approach'])
  const { customer, consolidation_approach: approach } = filters
  return (
    <div className="stack">
      <FilterBar onClear={null}>
        <ValueFilter
          dimension="customer"
          label={t('customer')}
          value={customer}
          onChange={(value) => setFilters({ customer: value })}
        />
        <RuleFilter
          name="consolidation_approach"
          words={CONSOLIDATION_APPROACHES}
          value={approach}
          onChange={(value) => setFilters({ consolidation_approach: value })}
        />
      </FilterBar>
      {customer === '' ? (
        <Empty title={t('chooseCustomer')}>
          <p>{t('chooseCustomerHelp')}</p>
        </Empty>
      ) : (
        <StatementTable customer={customer} approach={wordOf(CONSOLIDATION_APPROACHES, approach)} />
      )}
      <Verifying />
    </div>
  )
}

function Verifying() {
  const t = useMessages({ en, de })
  const { time } = useFormat()
  const key = useStatementKey()
  return (
    <section className="card" aria-labelledby="verifying">
      <h2 id="verifying">{t('verifyTitle')}</h2>
      <Loaded query={key}>
        {({ fingerprint, algorithm, created_at: since }) => (
          <div>
            <p>{t('verifyTell')}</p>
            <CodeToCopy code={fingerprint} name={t('fingerprint')} />
            <p className="muted">{t('keySince', { algorithm, time: time(since) })}</p>
            <p>{t('verifyRun')}</p>
            <CodeToCopy code={`npm run -s cradle -- verify-statement statement.json --key ${fingerprint}`} />
          </div>
        )}
      </Loaded>
    </section>
  )
}
