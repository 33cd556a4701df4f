// A filter by a text of which there are many, like customers: typed, or chosen from those that weigh most.
import { useEffect, useId, useState } from 'react'

export interface SuggestFilterProps {
  readonly label: string
  readonly value: string
  readonly suggestions: readonly string[]
  readonly onChange: (value: string) => void
  /** Asked for once somebody comes to it: to know them may cost something. */
  readonly onFocus?: () => void
}

/** What is typed counts when it is one of the suggestions, at Enter, or when the field is left. */
export function SuggestFilter({ label, value, suggestions, onChange, onFocus }: SuggestFilterProps) {
  const id = useId()
  const [typed, setTyped] = useState(value)
  useEffect(() => setTyped(value), [value])
  const take = (text: string) => text.trim() !== value && onChange(text.trim())
  const type = (text: string) => {
    setTyped(text)
    if (text === '' || suggestions.includes(text)) take(text)
  }
  return (
    <div className="filter">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        list={`${id}-list`}
        value={typed}
        maxLength={200}
        autoComplete="off"
        onFocus={onFocus}
        onChange={({ target }) => type(target.value)}
        onBlur={() => take(typed)}
        onKeyDown={({ key }) => key === 'Enter' && take(typed)}
      />
      <datalist id={`${id}-list`}>
        {suggestions.map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
    </div>
  )
}
