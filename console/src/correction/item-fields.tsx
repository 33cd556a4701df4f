// The fields of an item: a device, a transport leg, or a packaging.
import { useState } from 'react'
import { packagingName } from '../api/factor-lists.ts'
import { ChoiceField, NumberField } from '../components/fields.tsx'
import { ModelField } from '../components/model-field.tsx'
import { TYPES, useTypeName } from '../emissions/label-names.ts'
import type { Transport } from '../estimate/form-to-request.ts'
import { TransportChoice, withChosen, type Packaging } from '../estimate/transport-fields.tsx'
import { useFormat } from '../i18n/format.ts'
import { useMessages } from '../i18n/language.tsx'
import { errorAt, fieldOf, type DraftItem, type FieldErrors, type Member, type Texts } from './draft.ts'
import de from './messages.de.json'
import en from './messages.en.json'
import { CountryField, TextField, errorText, type MemberFieldProps } from './text-fields.tsx'

/** What transports and packagings are chosen from; null for those who may not read the catalogue. */
export interface ItemLists {
  readonly transports: readonly Transport[] | null
  readonly packagings: readonly Packaging[] | null
}

export interface ItemFieldsProps extends ItemLists {
  readonly item: DraftItem
  readonly errors: FieldErrors
  readonly set: (changed: Texts) => void
}

const KG_MAX = 40_000
const KM_MAX = 50_000
const MONTHS_MAX = 1200
const BASES = ['actual', 'shortest_feasible', 'great_circle'] as const

type FieldOf = (member: Member) => MemberFieldProps

export function ItemFields({ item, errors, set, transports, packagings }: ItemFieldsProps) {
  const t = useMessages({ en, de })
  const { key, type, texts } = item
  const field: FieldOf = (member) => {
    const value = texts[member] ?? ''
    return {
      label: t(member),
      value,
      error: errorText(errorAt(errors, fieldOf(key, member), value)),
      onChange: (text) => set({ [member]: text }),
    }
  }
  if (type === 'product') return <DeviceFields field={field} hasCatalogue={transports !== null} />
  if (type === 'packaging') return <PackagingFields field={field} packagings={packagings} />
  return <LegFields field={field} transports={transports} set={set} />
}

function DeviceFields({ field, hasCatalogue }: { readonly field: FieldOf; readonly hasCatalogue: boolean }) {
  const t = useMessages({ en, de })
  const typeName = useTypeName()
  const type = field('device_type')
  const types = TYPES.map((value) => ({ value, label: typeName(value) }))
  return (
    <div className="fields correction-wide">
      <TextField {...field('serial_number')} />
      <TextField {...field('product_id')} />
      <NumberField {...field('tenure_months')} max={MONTHS_MAX} step={1} />
      <NumberField {...field('weight_kg')} max={KG_MAX} />
      <TextField {...field('product_name')} />
      <TextField {...field('brand')} />
      <ChoiceField {...type} choices={withChosen(type.value, [{ value: '', label: t('notStated') }, ...types])} />
      <CountryField {...field('country')} unstated={t('asOrder')} />
      <div className="fields-wide">
        {hasCatalogue ? <CatalogueModel {...field('model_id')} /> : <TextField {...field('model_id')} />}
      </div>
    </div>
  )
}

/** Models are suggested once something is typed, and no more once one of them is chosen. */
function CatalogueModel({ label, value, error, onChange }: MemberFieldProps) {
  const t = useMessages({ en, de })
  const [chosen, setChosen] = useState(value)
  return (
    <ModelField
      label={label}
      hint={t('modelHint')}
      error={error}
      words={value}
      isChosen={value === chosen}
      onType={onChange}
      onChoose={({ id }) => {
        setChosen(id)
        onChange(id)
      }}
    />
  )
}

interface LegFieldsProps extends Pick<ItemLists, 'transports'> {
  readonly field: FieldOf
  readonly set: (changed: Texts) => void
}

function LegFields({ field, transports, set }: LegFieldsProps) {
  const t = useMessages({ en, de })
  const id = field('transportation_id')
  const mode = field('transportation_mode')
  const basis = field('distance_basis')
  const distance = <NumberField {...field('distance_km')} max={KM_MAX} />
  return (
    <div className="fields correction-wide">
      {transports === null ? (
        <>
          <TextField {...id} />
          <TextField {...mode} />
          {distance}
        </>
      ) : (
        <TransportChoice
          transports={transports}
          id={id.value}
          error={id.error ?? mode.error}
          onChange={(chosen) => set(transportOf(chosen, transports))}
        >
          {distance}
        </TransportChoice>
      )}
      <ChoiceField
        {...basis}
        choices={[{ value: '', label: t('notStated') }, ...BASES.map((value) => ({ value, label: t(value) }))]}
      />
      <NumberField {...field('weight_kg')} label={t('carriedKg')} max={KG_MAX} />
    </div>
  )
}

function transportOf(id: string, transports: readonly Transport[]): Texts {
  const mode = transports.find((one) => one.transportation_id === id)?.transportation_mode
  return { transportation_id: id, ...(mode !== undefined && { transportation_mode: mode }) }
}

function PackagingFields({ field, packagings }: Pick<ItemLists, 'packagings'> & { readonly field: FieldOf }) {
  const { told } = useFormat()
  const id = field('packaging_id')
  const choices = packagings?.map((one) => ({ value: one.packaging_id, label: told(packagingName(one)) }))
  return (
    <div className="fields">
      {choices ? <ChoiceField {...id} choices={withChosen(id.value, choices)} /> : <TextField {...id} />}
      <NumberField {...field('weight_kg')} max={KG_MAX} />
    </div>
  )
}
