// One of the rules by which kilograms are counted: the first of its words is usual.
import { ChoiceFilter } from '../components/filter-bar.tsx'
import { useMessages } from '../i18n/language.tsx'
import de from './messages.de.json'
import en from './messages.en.json'
import type { APPROACHES, BASES, BOOKS, LEASES } from './inventory-boundary.ts'

export interface RuleFilterProps {
  readonly name: 'basis' | 'book' | 'approach' | 'lease'
  readonly words: readonly (typeof BASES | typeof BOOKS | typeof APPROACHES | typeof LEASES)[number][]
  readonly value: string
  readonly onChange: (value: string) => void
}

export function RuleFilter({ name, words, value, onChange }: RuleFilterProps) {
  const say = useMessages({ en, de })
  const [usual, ...others] = words
  return (
    <ChoiceFilter
      label={say(name)}
      value={value}
      usual={say(usual!)}
      choices={others.map((word) => ({ value: word, label: say(word) }))}
      onChange={onChange}
    />
  )
}
