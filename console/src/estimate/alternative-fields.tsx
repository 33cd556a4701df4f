// What the order is held against: refurbished devices, another way of transport, another tenure; each by itself or all.
import type { ReactNode } from 'react'
import { transportName } from '../api/factor-lists.ts'
import { ChoiceField, NumberField } from '../components/fields.tsx'
import { useFormat } from '../i18n/format.ts'
import { useMessages } from '../i18n/language.tsx'
import type { FormState, Change } from './form-state.ts'
import de from './messages.de.json'
import en from './messages.en.json'
import type { Transport } from './form-to-request.ts'
import { TransportChoice } from './transport-fields.tsx'

const MONTHS_MAX = 1200
const KG_MAX = 1_000_000
const KM_MAX = 50_000

export interface AlternativeFieldsProps {
  readonly form: FormState
  readonly change: Change
  readonly transports: readonly Transport[]
}

export function AlternativeFields({ form, change, transports }: AlternativeFieldsProps) {
  const t = useMessages({ en, de })
  const { otherMonths, months } = form
  return (
    <>
      <RefurbishedFields form={form} change={change} />
      <OtherWayFields form={form} change={change} transports={transports} />
      <Alternative
        label={t('otherMonths')}
        isOn={otherMonths !== null}
        onChange={(isOn) => change({ otherMonths: isOn ? String(2 * Number(months)) : null })}
      >
        <NumberField
          label={t('months')}
          value={otherMonths ?? ''}
          max={MONTHS_MAX}
          step={1}
          onChange={(value) => change({ otherMonths: value })}
        />
      </Alternative>
    </>
  )
}

function RefurbishedFields({ form: { refurbished }, change }: Pick<AlternativeFieldsProps, 'form' | 'change'>) {
  const t = useMessages({ en, de })
  return (
    <Alternative
      label={t('refurbished')}
      isOn={refurbished !== null}
      onChange={(isOn) => change({ refurbished: isOn ? { kg: '8', added: '24', before: '' } : null })}
    >
      {refurbished && (
        <>
          <NumberField
            label={t('refurbishing')}
            value={refurbished.kg}
            max={KG_MAX}
            onChange={(kg) => change({ refurbished: { ...refurbished, kg } })}
          />
          <NumberField
            label={t('monthsAdded')}
            value={refurbished.added}
            max={MONTHS_MAX}
            step={1}
            onChange={(added) => change({ refurbished: { ...refurbished, added } })}
          />
          <NumberField
            label={t('monthsBefore')}
            value={refurbished.before}
            max={MONTHS_MAX}
            step={1}
            placeholder={t('lifetime')}
            onChange={(before) => change({ refurbished: { ...refurbished, before } })}
          />
        </>
      )}
    </Alternative>
  )
}

/** Only legs that are there can be replaced. */
function OtherWayFields({ form: { otherWay, legs }, change, transports }: AlternativeFieldsProps) {
  const t = useMessages({ en, de })
  const { told } = useFormat()
  const [first] = legs
  if (!first) return <p className="field-hint">{t('noLegToReplace')}</p>
  const nameOf = (id: string) => {
    const transport = transports.find((one) => one.transportation_id === id)
    return transport ? told(transportName(transport)) : id
  }
  const ids = [...new Set(legs.map(({ id }) => id))]
  const from = otherWay && ids.includes(otherWay.from) ? otherWay.from : ids[0]!
  const began = { from: first.id, to: 'sea-container-average', km: first.km }
  return (
    <Alternative
      label={t('otherTransport')}
      isOn={otherWay !== null}
      onChange={(isOn) => change({ otherWay: isOn ? began : null })}
    >
      {otherWay && (
        <>
          <div className="fields-wide">
            <ChoiceField
              label={t('inPlaceOf')}
              value={from}
              choices={ids.map((value) => ({ value, label: nameOf(value) }))}
              onChange={(value) => change({ otherWay: { ...otherWay, from: value } })}
            />
          </div>
          <TransportChoice
            transports={transports}
            id={otherWay.to}
            onChange={(to) => change({ otherWay: { ...otherWay, from, to } })}
          >
            <NumberField
              label={t('distance')}
              value={otherWay.km}
              max={KM_MAX}
              onChange={(km) => change({ otherWay: { ...otherWay, from, km } })}
            />
          </TransportChoice>
        </>
      )}
    </Alternative>
  )
}

interface AlternativeProps {
  readonly label: string
  readonly isOn: boolean
  readonly onChange: (isOn: boolean) => void
  readonly children: ReactNode
}

const Alternative = ({ label, isOn, onChange, children }: AlternativeProps) => (
  <fieldset className="estimate-row">
    <legend className="hidden-visually">{label}</legend>
    <label className="check">
      <input type="checkbox" checked={isOn} onChange={({ target }) => onChange(target.checked)} />
      {label}
    </label>
    {isOn && <div className="fields">{children}</div>}
  </fieldset>
)
