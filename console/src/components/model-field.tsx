// A model of the catalogue, found as one types.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useDeferredValue, useId, type ReactNode } from 'react'
import { api, read, type Schemas } from '../api/client.ts'
import { KG } from '../emissions/kilograms.ts'
import { useFormat } from '../i18n/format.ts'
import { useMessages } from '../i18n/language.tsx'
import { SuggestingInput } from './combobox.tsx'
import './fields.css'
import de from './messages.de.json'
import en from './messages.en.json'

type Model = Schemas['DeviceModel']

const SUGGESTIONS_MAX = 8

export const nameOfModel = ({ brand, name }: Pick<Model, 'brand' | 'name'>): string => `${brand} ${name}`

export interface ModelFieldProps {
  readonly label: string
  readonly hint: string
  /** What is wrong with what is filled in. */
  readonly error?: ReactNode
  /** What is typed, or the name of the model that was chosen. */
  readonly words: string
  readonly isChosen: boolean
  readonly onType: (words: string) => void
  readonly onChoose: (model: Model) => void
}

export function ModelField({ label, hint, error, words, isChosen, onType, onChoose }: ModelFieldProps) {
  const t = useMessages({ en, de })
  const { short } = useFormat()
  const id = useId()
  const sought = useDeferredValue(words.trim())
  const isSought = sought !== '' && !isChosen
  const models = useQuery({
    queryKey: ['suggested models', sought],
    queryFn: ({ signal }) =>
      read(
        api.GET('/api/device-model-emissions', {
          params: { query: { q: sought, limit: SUGGESTIONS_MAX, include: ['evidence'] } },
          signal,
        }),
      ),
    enabled: isSought,
    placeholderData: keepPreviousData,
  })
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <SuggestingInput
        id={id}
        describedBy={error ? `${id}error ${id}hint` : `${id}hint`}
        isInvalid={Boolean(error)}
        value={words}
        placeholder={t('modelExample')}
        label={t('models')}
        suggestions={isSought ? (models.data ?? []) : []}
        keyOf={(one) => one.id}
        render={(one) => (
          <>
            <span>{nameOfModel(one)}</span>
            <span className="muted">
              {short(one.product_footprint)} {KG}
            </span>
          </>
        )}
        onType={onType}
        onChoose={onChoose}
      />
      {error && (
        <div id={`${id}error`} className="field-error">
          {error}
        </div>
      )}
      <div id={`${id}hint`} className="field-hint">
        {hint}
      </div>
    </div>
  )
}
