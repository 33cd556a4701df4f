// Fields of members that are texts, countries of use, and what is wrong with a member.
import { useMemo, type ReactNode } from 'react'
import type { ProblemDetail } from '../api/problem.ts'
import { ChoiceField, Field } from '../components/fields.tsx'
import { countriesIn } from '../estimate/countries.ts'
import { withChosen } from '../estimate/transport-fields.tsx'
import { useLanguage } from '../i18n/language.tsx'
import { Tell } from '../i18n/service-text.tsx'

/** @returns null where nothing is wrong */
export const errorText = (detail: ProblemDetail | null): ReactNode =>
  detail && (
    <>
      <Tell text={detail} />
      {detail.suggestions && detail.suggestions.length > 0 && <> ({detail.suggestions.join(', ')})</>}
    </>
  )

export interface MemberFieldProps {
  readonly label: string
  readonly value: string
  readonly error: ReactNode
  readonly onChange: (text: string) => void
}

/** Of the contract's texts. */
const TEXT_LENGTH_MAX = 200

interface TextFieldProps extends MemberFieldProps {
  readonly type?: 'text' | 'date'
}

export const TextField = ({ label, value, error, onChange, type = 'text' }: TextFieldProps) => (
  <Field label={label} error={error}>
    {(ids) => (
      <input
        {...ids}
        type={type}
        value={value}
        autoComplete="off"
        maxLength={type === 'text' ? TEXT_LENGTH_MAX : undefined}
        onChange={({ target }) => onChange(target.value)}
      />
    )}
  </Field>
)

/** @param field `unstated` is what it means that no country is chosen */
export function CountryField({ unstated, ...field }: MemberFieldProps & { readonly unstated: string }) {
  const { language } = useLanguage()
  const countries = useMemo(() => countriesIn(language), [language])
  const choices = withChosen(field.value, [{ value: '', label: unstated }, ...countries])
  return <ChoiceField {...field} choices={choices} />
}
