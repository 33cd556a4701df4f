// How the goods travel and what they are wrapped in: as many transports and packagings as there are.
import type { ReactNode } from 'react'
import type { Schemas } from '../api/client.ts'
import { packagingName, transportName } from '../api/factor-lists.ts'
import { ChoiceField, NumberField, type Choice } from '../components/fields.tsx'
import { MODES, useModeName } from '../api-values/modes.ts'
import { useFormat } from '../i18n/format.ts'
import { useMessages } from '../i18n/language.tsx'
import type { FormState, Change, Leg, Packing } from './form-state.ts'
import de from './messages.de.json'
import en from './messages.en.json'
import { carriedKg, type Transport } from './form-to-request.ts'
import { Rows } from './rows.tsx'

export type Packaging = Schemas['Packaging']

interface TransportChoiceProps {
  readonly transports: readonly Transport[]
  readonly id: string
  /** What is wrong with the vehicle. */
  readonly error?: ReactNode
  readonly onChange: (id: string) => void
  /** The distance, which stands beside the mode. */
  readonly children: ReactNode
  /** What stands beside the vehicle, if anything. */
  readonly action?: ReactNode
}

/** By mode first: there are some seventy. */
export function TransportChoice({ transports, id, error, onChange, children, action }: TransportChoiceProps) {
  const t = useMessages({ en, de })
  const modeName = useModeName()
  const { told } = useFormat()
  const mode = transports.find((one) => one.transportation_id === id)?.transportation_mode ?? 'road'
  const ofMode = (wantedMode: string) => transports.filter((one) => one.transportation_mode === wantedMode)
  return (
    <>
      <ChoiceField
        label={t('mode')}
        value={mode}
        choices={MODES.map((value) => ({ value, label: modeName(value) }))}
        onChange={(wantedMode) => onChange(ofMode(wantedMode)[0]?.transportation_id ?? id)}
      />
      {children}
      <div className="fields-wide estimate-with-action">
        <ChoiceField
          label={t('vehicle')}
          error={error}
          value={id}
          choices={withChosen(
            id,
            ofMode(mode).map((one) => ({ value: one.transportation_id, label: told(transportName(one)) })),
          )}
          onChange={onChange}
        />
        {action}
      </div>
    </>
  )
}

/** An order may name what this release has no more: it stays what is chosen. */
export const withChosen = (value: string, choices: readonly Choice[]): readonly Choice[] =>
  choices.some((one) => one.value === value) ? choices : [{ value, label: value }, ...choices]

interface LegFieldsProps {
  readonly form: FormState
  readonly change: Change
  readonly transports: readonly Transport[]
}

const KM_MAX = 50_000
const KG_MAX = 40_000

export function LegFields({ form, change, transports }: LegFieldsProps) {
  const t = useMessages({ en, de })
  const { full } = useFormat()
  const { legs, otherWay } = form
  // The alternative follows the leg that it is to replace.
  const setLegs = (after: readonly Leg[]) => {
    const changed = legs.findIndex((leg, at) => after.length === legs.length && leg.id !== after[at]!.id)
    const follows = otherWay !== null && otherWay.from === legs[changed]?.id
    change({ legs: after, ...(follows && { otherWay: { ...otherWay, from: after[changed]!.id } }) })
  }
  const basisOf = (id: string) => transports.find((one) => one.transportation_id === id)?.distance_basis
  return (
    <>
      <p className="field-hint">{t('carried', { kg: full(carriedKg(form)) })}</p>
      <Rows
        rows={legs}
        onChange={setLegs}
        added={{ id: 'road-van-diesel', km: '100' }}
        addLabel={t('addLeg')}
        nameOf={(number) => t('leg', { number })}
        removeLabelOf={(number) => t('removeLeg', { number })}
      >
        {(leg, set, remove) => {
          const basis = basisOf(leg.id)
          return (
            <div className="fields">
              <TransportChoice
                transports={transports}
                id={leg.id}
                onChange={(id) => set({ ...leg, id })}
                action={remove}
              >
                <NumberField
                  label={t('distance')}
                  hint={basis && t(basis)}
                  value={leg.km}
                  max={KM_MAX}
                  onChange={(km) => set({ ...leg, km })}
                />
              </TransportChoice>
            </div>
          )
        }}
      </Rows>
    </>
  )
}

interface PackingFieldsProps {
  readonly packings: readonly Packing[]
  readonly change: Change
  readonly packagings: readonly Packaging[]
}

export function PackingFields({ packings, change, packagings }: PackingFieldsProps) {
  const t = useMessages({ en, de })
  const { told } = useFormat()
  const choices = packagings.map((one) => ({ value: one.packaging_id, label: told(packagingName(one)) }))
  return (
    <Rows
      rows={packings}
      onChange={(after) => change({ packings: after })}
      added={{ id: 'corrugated-board-recycled', kg: '0.3' }}
      addLabel={t('addPacking')}
      nameOf={(number) => t('packing', { number })}
      removeLabelOf={(number) => t('removePacking', { number })}
    >
      {(packing, set, remove) => (
        <>
          <ChoiceField
            label={t('material')}
            value={packing.id}
            choices={choices}
            onChange={(id) => set({ ...packing, id })}
          />
          <div className="estimate-with-action">
            <NumberField
              label={t('weight')}
              value={packing.kg}
              max={KG_MAX}
              onChange={(kg) => set({ ...packing, kg })}
            />
            {remove}
          </div>
        </>
      )}
    </Rows>
  )
}
