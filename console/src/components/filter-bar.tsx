// What a list is filtered by, in a row above it; what is set stands in the address (filters.ts).
import { useEffect, useId, useRef, useState, type ReactNode } from 'react'
import { useMessages } from '../i18n/language.tsx'
import de from './messages.de.json'
import en from './messages.en.json'
import './filter-bar.css'

export interface FilterBarProps {
  readonly children: ReactNode
  /** Null where nothing is set. */
  readonly onClear: (() => void) | null
}

export function FilterBar({ children, onClear }: FilterBarProps) {
  const t = useMessages({ en, de })
  const bar = useRef<HTMLDivElement>(null)
  // The button goes away with what it clears: the focus stays here.
  const clear = () => {
    onClear?.()
    bar.current?.focus()
  }
  return (
    <div ref={bar} className="filter-bar" role="group" aria-label={t('filters')} tabIndex={-1}>
      {children}
      {onClear && (
        <button className="button" onClick={clear}>
          {t('clear')}
        </button>
      )}
    </div>
  )
}

export interface ChoiceFilterProps {
  readonly label: string
  /** '' for all, or for what is usual. */
  readonly value: string
  /** What '' stands for, where that is not all. */
  readonly usual?: string
  readonly choices: readonly { readonly value: string; readonly label: string }[]
  /** Where what is chosen says what it is: the label is for those who do not see it. */
  readonly hidesLabel?: boolean
  readonly onChange: (value: string) => void
}

export function ChoiceFilter({ label, value, usual, choices, hidesLabel, onChange }: ChoiceFilterProps) {
  const t = useMessages({ en, de })
  const id = useId()
  return (
    <div className="filter">
      <label htmlFor={id} className={hidesLabel ? 'hidden-visually' : undefined}>
        {label}
      </label>
      <select id={id} value={value} onChange={({ target }) => onChange(target.value)}>
        <option value="">{usual ?? t('all')}</option>
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.label}
          </option>
        ))}
      </select>
    </div>
  )
}

export interface TextFilterProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly type?: 'search' | 'date'
  readonly placeholder?: string
}

/** Who types is waited for: each letter would be a question to the API. */
const TYPING_MS = 250
/** Of a year that is being typed the browser tells each digit: of 2026 first 0002. */
const isHalfTyped = (type: string, typed: string): boolean => type === 'date' && typed.startsWith('0')

export function TextFilter({ label, value, onChange, type = 'search', placeholder }: TextFilterProps) {
  const id = useId()
  const [typed, setTyped] = useState(value)
  useEffect(() => setTyped(value), [value])
  useEffect(() => {
    if (typed === value || isHalfTyped(type, typed)) return
    const waiting = setTimeout(() => onChange(typed), TYPING_MS)
    return () => clearTimeout(waiting)
  }, [typed])
  return (
    <div className="filter">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type={type}
        value={typed}
        placeholder={placeholder}
        maxLength={200}
        onChange={({ target }) => setTyped(target.value)}
      />
    </div>
  )
}
