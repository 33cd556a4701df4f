// The product: a model found as one types, or words as they are, with what they would be taken for.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useDeferredValue } from 'react'
import { useValueNames } from '../api-values/api-values.ts'
import { api, read } from '../api/client.ts'
import { ChoiceField } from '../components/fields.tsx'
import { ProblemNotice } from '../components/loading-and-error.tsx'
import { ModelField, nameOfModel } from '../components/model-field.tsx'
import { useFormat } from '../i18n/format.ts'
import { useMessages } from '../i18n/language.tsx'
import type { FormState, Change } from './form-state.ts'
import de from './messages.de.json'
import en from './messages.en.json'
import { KG } from '../emissions/kilograms.ts'
import { TYPES, useTypeName } from '../emissions/label-names.ts'
import { TypeEvidence } from '../type-evidence/type-evidence.tsx'

interface ProductFieldProps {
  readonly form: FormState
  readonly change: Change
}

export function ProductField({ form, change }: ProductFieldProps) {
  const t = useMessages({ en, de })
  const typeName = useTypeName()
  return (
    <>
      <ModelField
        label={t('product')}
        hint={t('productHint')}
        words={form.words}
        isChosen={form.model !== ''}
        onType={(words) => change({ words, model: '' })}
        onChoose={(one) =>
          change({ words: nameOfModel(one), model: one.id, ...(one.weight_kg && { weight: String(one.weight_kg) }) })
        }
      />
      {form.model === '' ? <Match form={form} change={change} /> : <Chosen id={form.model} />}
      {form.model === '' && (
        <ChoiceField
          label={t('type')}
          hint={t('typeHint')}
          value={form.type}
          choices={[
            { value: '', label: t('typeUnknown') },
            ...TYPES.map((value) => ({ value, label: typeName(value) })),
          ]}
          onChange={(type) => change({ type })}
        />
      )}
    </>
  )
}

function Chosen({ id }: { readonly id: string }) {
  const t = useMessages({ en, de })
  const { short } = useFormat()
  const model = useQuery({
    queryKey: ['model', id],
    queryFn: ({ signal }) => read(api.GET('/api/device-model-emissions/{id}', { params: { path: { id } }, signal })),
  })
  if (model.error) return <ProblemNotice problem={model.error} />
  return (
    <p className="estimate-taken">
      {t('inCatalogue')} <code>{id}</code>
      {model.data && (
        <span className="muted"> {t('wholeLife', { value: `${short(model.data.product_footprint)} ${KG}` })}</span>
      )}
    </p>
  )
}

/** Nothing is looked up in the ledger here: this is what anybody's words are taken for. */
function Match({ form: { words, type, weight }, change }: ProductFieldProps) {
  const t = useMessages({ en, de })
  const { percent } = useFormat()
  const valueName = useValueNames()
  const sought = useDeferredValue(words.trim())
  const match = useQuery({
    queryKey: ['taken for', sought, type, weight],
    queryFn: ({ signal }) =>
      read(
        api.GET('/api/match', {
          params: {
            query: {
              product_name: sought,
              product_id: sought,
              ...(type !== '' && { device_type: type as (typeof TYPES)[number] }),
              ...(Number(weight) > 0 && { weight_kg: Number(weight) }),
            },
          },
          signal,
        }),
      ),
    enabled: sought !== '',
    placeholderData: keepPreviousData,
  })
  if (sought === '') return null
  if (match.error) return <ProblemNotice problem={match.error} />
  if (!match.data) return null
  const { resolved_to: basis, match_method: found, candidates, type_evidence: evidence } = match.data
  return (
    <div className="estimate-taken" aria-live="polite">
      {t('matchedTo')} <code>{basis}</code>{' '}
      <span className="muted">{t('foundBy', { found: valueName({ list: 'method', value: found }) })}</span>
      {evidence && (
        <>
          {' '}
          <TypeEvidence evidence={evidence} />
        </>
      )}
      {candidates.length > 0 && (
        <>
          <p className="field-hint">{t('didYouMean')}</p>
          <ul className="bare row estimate-candidates">
            {candidates.map(({ model_id: id, name, score }) => (
              <li key={id}>
                <button
                  type="button"
                  className="button button-small"
                  onClick={() => change({ words: name, model: id })}
                >
                  {name} <span className="muted">{percent(score)}</span>
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  )
}
