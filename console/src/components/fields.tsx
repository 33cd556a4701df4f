// Fields of a form: each with its name, and a sentence on what it is for where the name does not say so.
import { useId, type ReactNode } from 'react'
import './fields.css'

interface FieldIds {
  readonly id: string
  readonly 'aria-describedby'?: string
  readonly 'aria-invalid'?: true
}

export interface FieldProps {
  readonly label: string
  readonly hint?: ReactNode
  /** What is wrong with what is filled in. */
  readonly error?: ReactNode
  /** @param ids for the element that is filled in */
  readonly children: (ids: FieldIds) => ReactNode
}

export function Field({ label, hint, error, children }: FieldProps) {
  const id = useId()
  const [hintId, errorId] = [`${id}hint`, `${id}error`]
  const described = [...(error ? [errorId] : []), ...(hint ? [hintId] : [])].join(' ')
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        ...(described !== '' && { 'aria-describedby': described }),
        ...(error && { 'aria-invalid': true as const }),
      })}
      {error && (
        <div id={errorId} className="field-error">
          {error}
        </div>
      )}
      {hint && (
        <div id={hintId} className="field-hint">
          {hint}
        </div>
      )}
    </div>
  )
}

export interface NumberFieldProps {
  readonly label: string
  readonly hint?: ReactNode
  readonly error?: ReactNode
  /** As it is typed: it may be on its way to a number. */
  readonly value: string
  readonly onChange: (value: string) => void
  readonly max: number
  /** 1 for what is counted. */
  readonly step?: number
  readonly placeholder?: string
}

export const NumberField = ({ label, hint, error, value, onChange, max, step, placeholder }: NumberFieldProps) => (
  <Field label={label} hint={hint} error={error}>
    {(ids) => (
      <input
        {...ids}
        type="number"
        inputMode="decimal"
        min={0}
        max={max}
        step={step ?? 'any'}
        value={value}
        placeholder={placeholder}
        onChange={({ target }) => onChange(target.value)}
      />
    )}
  </Field>
)

export interface Choice {
  readonly value: string
  readonly label: string
}

export interface ChoiceFieldProps {
  readonly label: string
  readonly hint?: ReactNode
  readonly error?: ReactNode
  readonly value: string
  readonly choices: readonly Choice[]
  readonly onChange: (value: string) => void
}

export const ChoiceField = ({ label, hint, error, value, choices, onChange }: ChoiceFieldProps) => (
  <Field label={label} hint={hint} error={error}>
    {(ids) => (
      <select {...ids} value={value} onChange={({ target }) => onChange(target.value)}>
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.label}
          </option>
        ))}
      </select>
    )}
  </Field>
)
