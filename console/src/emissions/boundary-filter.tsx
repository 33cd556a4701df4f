// One of the rules by which kilograms are counted: the first of its words is usual.
import { ChoiceFilter } from '../components/filter-bar.tsx'
import { useMessages } from '../i18n/language.tsx'
import de from './messages.de.json'
import en from './messages.en.json'
import type { CONSOLIDATION_APPROACHES, DATE_BASES, REPORTING_ENTITIES, LEASE_TYPES } from './inventory-boundary.ts'

export interface RuleFilterProps {
  readonly name: 'date_basis' | 'reporting_entity' | 'consolidation_approach' | 'lease_type'
  readonly words: readonly (
    | typeof DATE_BASES
    | typeof REPORTING_ENTITIES
    | typeof CONSOLIDATION_APPROACHES
    | typeof LEASE_TYPES
  )[number][]
  readonly value: string
  readonly onChange: (value: string) => void
}

export function RuleFilter({ name, words, value, onChange }: RuleFilterProps) {
  const t = useMessages({ en, de })
  const [usual, ...others] = words
  return (
    <ChoiceFilter
      label={t(name)}
      value={value}
      usual={t(usual!)}
      choices={others.map((word) => ({ value: word, label: t(word) }))}
      onChange={onChange}
    />
  )
}
