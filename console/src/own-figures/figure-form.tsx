// The form of an own figure: what it is, its values, and who published them.
import { useId, useState } from 'react'
import { Problem } from '../api/problem.ts'
import { ChoiceField, Field, NumberField } from '../components/fields.tsx'
import { ProblemNotice } from '../components/loading-and-error.tsx'
import { Panel } from '../components/panel.tsx'
import { useTypeName, TYPES } from '../emissions/label-names.ts'
import { useModeName, type Mode } from '../api-values/modes.ts'
import { countriesIn } from '../estimate/countries.ts'
import { useLanguage, useMessages } from '../i18n/language.tsx'
import { Tell } from '../i18n/service-text.tsx'
import { idOf, isComplete, toBody, valuesOf, type Values } from './figure-values.ts'
import type { FieldName, FigureField, FigureKind } from './kinds.ts'
import de from './messages.de.json'
import en from './messages.en.json'
import { useStoring, type OwnFigure } from './use-figures.ts'

export interface FigureFormProps {
  readonly kind: FigureKind
  /** Null for a new one. */
  readonly replaced: OwnFigure | null
  readonly onClose: () => void
  readonly onStored: (id: string) => void
}

export function FigureForm({ kind, replaced, onClose, onStored }: FigureFormProps) {
  const t = useMessages({ en, de })
  const formId = useId()
  const [values, setValues] = useState<Values>(() => valuesOf(kind, replaced))
  const { mutate, isPending, error } = useStoring(kind, replaced, onStored)
  const change = (name: string) => (value: string) => setValues({ ...values, [name]: value })
  return (
    <Panel
      title={t(replaced ? 'editTitle' : 'addTitle', { kind: t(`one-${kind.name}`) })}
      isOpen
      place="middle"
      onClose={onClose}
      actions={
        <>
          <button className="button" onClick={onClose}>
            {t('cancel')}
          </button>
          <button form={formId} className="button button-primary" disabled={!isComplete(kind, values) || isPending}>
            {t('store')}
          </button>
        </>
      }
    >
      <form
        id={formId}
        className="section"
        onSubmit={(event) => {
          event.preventDefault()
          mutate({ id: idOf(kind, values), body: toBody(kind, values) })
        }}
      >
        <p className="muted">{t(replaced ? 'newVersion' : 'required')}</p>
        <div className="own-form">
          <IdFields kind={kind} values={values} isFixed={replaced !== null} onChange={change} />
          {kind.fields.map((field) => (
            <ValueField
              key={field.name}
              field={field}
              value={values[field.name] ?? ''}
              problem={error}
              onChange={change(field.name)}
            />
          ))}
        </div>
        {error && <ProblemNotice problem={error} />}
      </form>
    </Panel>
  )
}

interface IdFieldsProps {
  readonly kind: FigureKind
  readonly values: Values
  readonly isFixed: boolean
  readonly onChange: (name: string) => (value: string) => void
}

function IdFields({ kind, values, isFixed, onChange }: IdFieldsProps) {
  const t = useMessages({ en, de })
  const { language } = useLanguage()
  const typeName = useTypeName()
  if (isFixed) {
    return <Field label={t('id')}>{(ids) => <input {...ids} readOnly value={idOf(kind, values)} />}</Field>
  }
  const empty = { value: '', label: t('choose') }
  if (kind.name === 'lifetimes') {
    const types = TYPES.map((value) => ({ value, label: typeName(value) }))
    const value = values['type'] ?? ''
    return <ChoiceField label={t('type*')} value={value} choices={[empty, ...types]} onChange={onChange('type')} />
  }
  if (kind.name === 'grid') {
    const countries = [empty, ...countriesIn(language)]
    const [country = '', year = ''] = [values['country'], values['year']]
    return (
      <>
        <ChoiceField label={t('country*')} value={country} choices={countries} onChange={onChange('country')} />
        <NumberField label={t('year*')} value={year} max={2099} step={1} onChange={onChange('year')} />
      </>
    )
  }
  return (
    <Field label={t('id*')} hint={t('idHelp')}>
      {(ids) => (
        <input
          {...ids}
          value={values['id'] ?? ''}
          maxLength={100}
          autoComplete="off"
          onChange={({ target }) => onChange('id')(target.value)}
        />
      )}
    </Field>
  )
}

interface ValueFieldProps {
  readonly field: FigureField
  readonly value: string
  readonly problem: Error | null
  readonly onChange: (value: string) => void
}

const TEXT_LENGTH_MAX = 200

function ValueField({ field, value, problem, onChange }: ValueFieldProps) {
  const t = useMessages({ en, de })
  const labelOf = useChoiceLabels()
  const { name, form, isRequired, max = 0, step, hasHint } = field
  const label = isRequired ? `${t(`field-${name}`)} *` : t(`field-${name}`)
  const detail =
    problem instanceof Problem ? problem.details.find(({ path }) => path.split('/')[1] === name) : undefined
  const shared = {
    label,
    ...(hasHint && { hint: t(`hint-${name}` as keyof typeof en) }),
    ...(detail && { error: <Tell text={detail} /> }),
  }
  if (form === 'number') {
    return <NumberField {...shared} value={value} max={max} {...(step && { step })} onChange={onChange} />
  }
  if (form === 'text' || form === 'names') {
    return (
      <Field {...shared}>
        {(ids) =>
          form === 'text' ? (
            <input
              {...ids}
              value={value}
              maxLength={TEXT_LENGTH_MAX}
              autoComplete="off"
              onChange={({ target }) => onChange(target.value)}
            />
          ) : (
            <textarea {...ids} rows={2} value={value} onChange={({ target }) => onChange(target.value)} />
          )
        }
      </Field>
    )
  }
  const choices = [
    { value: '', label: t(isRequired ? 'choose' : 'notStated') },
    ...form.map((one) => ({ value: one, label: labelOf(name, one) })),
  ]
  return <ChoiceField {...shared} value={value} choices={choices} onChange={onChange} />
}

/** @returns what a value of a field to choose from is called */
function useChoiceLabels(): (field: FieldName, value: string) => string {
  const t = useMessages({ en, de })
  const typeName = useTypeName()
  const modeName = useModeName()
  return (field, value) => {
    if (field === 'type') return typeName(value)
    if (field === 'mode') return modeName(value as Mode)
    return t(`choice-${value}` as keyof typeof en)
  }
}
