// What a device is: a model of the catalogue, or only its type and weight.
import { useState } from 'react'
import type { Schemas } from '../api/client.ts'
import { ChoiceField, NumberField } from '../components/fields.tsx'
import { ModelField, nameOfModel } from '../components/model-field.tsx'
import { TYPES, useTypeName } from '../emissions/label-names.ts'
import { useMessages } from '../i18n/language.tsx'
import { useSession } from '../session/session.tsx'
import './identification.css'
import de from './messages.de.json'
import en from './messages.en.json'

type Identity = Pick<Schemas['IdentifiedEvent'], 'model_id' | 'device_type' | 'weight_kg'>

interface Chosen {
  readonly isModel: boolean
  readonly words: string
  /** The id of the model that was chosen; '' where none is. */
  readonly model: string
  readonly type: (typeof TYPES)[number]
  readonly weight: string
}

const WEIGHT_KG_MAX = 40_000

function identityOf({ isModel, model, type, weight }: Chosen): Identity | null {
  if (isModel) return model === '' ? null : { model_id: model }
  const kg = Number(weight)
  return kg > 0 && kg <= WEIGHT_KG_MAX ? { device_type: type, weight_kg: kg } : null
}

export interface ModelFormProps {
  /** What was submitted does not hold any more. */
  readonly onChange: () => void
  readonly onSubmit: (identity: Identity) => void
}

export function ModelForm({ onChange, onSubmit }: ModelFormProps) {
  const t = useMessages({ en, de })
  // The catalogue is searched by those only who may read it.
  const maySearch = useSession().may('catalogue:read')
  const [chosen, setChosen] = useState<Chosen>({
    isModel: maySearch,
    words: '',
    model: '',
    type: TYPES[0],
    weight: '',
  })
  const change = (changed: Partial<Chosen>) => {
    setChosen({ ...chosen, ...changed })
    onChange()
  }
  const identity = identityOf(chosen)
  return (
    <form
      className="section"
      onSubmit={(event) => {
        event.preventDefault()
        if (identity !== null) onSubmit(identity)
      }}
    >
      {maySearch && (
        <fieldset className="identification-known">
          <legend>{t('known')}</legend>
          {([true, false] as const).map((isModel) => (
            <label key={String(isModel)} className="check">
              <input
                type="radio"
                name="known"
                checked={chosen.isModel === isModel}
                onChange={() => change({ isModel })}
              />
              {t(isModel ? 'byModel' : 'byType')}
            </label>
          ))}
        </fieldset>
      )}
      {chosen.isModel ? (
        <ModelField
          label={t('model')}
          hint={t('modelHint')}
          words={chosen.words}
          isChosen={chosen.model !== ''}
          onType={(words) => change({ words, model: '' })}
          onChoose={(model) => change({ words: nameOfModel(model), model: model.id })}
        />
      ) : (
        <TypeFields chosen={chosen} change={change} />
      )}
      <div>
        <button className="button button-primary" disabled={identity === null}>
          {t('showChanges')}
        </button>
      </div>
    </form>
  )
}

interface TypeFieldsProps {
  readonly chosen: Chosen
  readonly change: (changed: Partial<Chosen>) => void
}

function TypeFields({ chosen, change }: TypeFieldsProps) {
  const t = useMessages({ en, de })
  const typeName = useTypeName()
  return (
    <div className="fields">
      <ChoiceField
        label={t('type')}
        value={chosen.type}
        choices={TYPES.map((value) => ({ value, label: typeName(value) }))}
        onChange={(type) => change({ type: type as Chosen['type'] })}
      />
      <NumberField
        label={t('weight')}
        hint={t('weightHint')}
        value={chosen.weight}
        max={WEIGHT_KG_MAX}
        onChange={(weight) => change({ weight })}
      />
    </div>
  )
}
