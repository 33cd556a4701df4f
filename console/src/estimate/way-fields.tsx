// How the goods travel and what they are wrapped in: as many transports and packagings as there are.
import { useRef, type ReactNode } from 'react'
import type { Schemas } from '../api/client.ts'
import { ChoiceField, NumberField } from '../components/fields.tsx'
import { useFormat } from '../language/format.ts'
import { useMessages } from '../language/language.tsx'
import type { Asked, Change, Leg, Packing } from './asked.ts'
import de from './messages.de.json'
import en from './messages.en.json'
import { carriedKg, type Transport } from './order-asked.ts'

export type Packaging = Schemas['Packaging']
type Mode = Transport['transportation_mode']
const MODES: readonly Mode[] = ['road', 'rail', 'sea', 'air']

interface TransportChoiceProps {
  readonly transports: readonly Transport[]
  readonly id: string
  readonly onChange: (id: string) => void
  /** The distance, which stands beside the mode. */
  readonly children: ReactNode
  /** What stands beside the vehicle, if anything. */
  readonly action?: ReactNode
}

/** By mode first: there are some seventy. */
export function TransportChoice({ transports, id, onChange, children, action }: TransportChoiceProps) {
  const say = useMessages({ en, de })
  const mode = transports.find((one) => one.transportation_id === id)?.transportation_mode ?? 'road'
  const ofMode = (wanted: string) => transports.filter((one) => one.transportation_mode === wanted)
  return (
    <>
      <ChoiceField
        label={say('mode')}
        value={mode}
        choices={MODES.map((value) => ({ value, label: say(value) }))}
        onChange={(wanted) => onChange(ofMode(wanted)[0]?.transportation_id ?? id)}
      />
      {children}
      <div className="fields-wide estimate-with-action">
        <ChoiceField
          label={say('vehicle')}
          value={id}
          choices={ofMode(mode).map(({ transportation_id: value, name: label }) => ({ value, label }))}
          onChange={onChange}
        />
        {action}
      </div>
    </>
  )
}

interface LegFieldsProps {
  readonly asked: Asked
  readonly change: Change
  readonly transports: readonly Transport[]
}

const KM_MAX = 50_000
const KG_MAX = 40_000

export function LegFields({ asked, change, transports }: LegFieldsProps) {
  const say = useMessages({ en, de })
  const { full } = useFormat()
  const { legs, otherWay } = asked
  // What is removed takes its button along: the focus goes to where it can be added again.
  const add = useRef<HTMLButtonElement>(null)
  // The alternative follows the leg that it is to replace.
  const setLeg = (at: number, leg: Leg) => {
    const follows = otherWay !== null && otherWay.from === legs[at]?.id
    change({ legs: legs.with(at, leg), ...(follows && { otherWay: { ...otherWay, from: leg.id } }) })
  }
  const basisOf = (id: string) => transports.find((one) => one.transportation_id === id)?.distance_basis
  return (
    <>
      <p className="field-hint">{say('carried', { kg: full(carriedKg(asked)) })}</p>
      {legs.map((leg, at) => {
        const basis = basisOf(leg.id)
        return (
          <fieldset key={at} className="estimate-row">
            <legend>{say('leg', { number: at + 1 })}</legend>
            <div className="fields">
              <TransportChoice
                transports={transports}
                id={leg.id}
                onChange={(id) => setLeg(at, { ...leg, id })}
                action={
                  <RemoveButton
                    label={say('removeLeg', { number: at + 1 })}
                    onClick={() => {
                      change({ legs: legs.toSpliced(at, 1) })
                      add.current?.focus()
                    }}
                  />
                }
              >
                <NumberField
                  label={say('distance')}
                  hint={basis && say(basis)}
                  value={leg.km}
                  max={KM_MAX}
                  onChange={(km) => setLeg(at, { ...leg, km })}
                />
              </TransportChoice>
            </div>
          </fieldset>
        )
      })}
      <button
        ref={add}
        type="button"
        className="button"
        onClick={() => change({ legs: [...legs, { id: 'road-van-diesel', km: '100' }] })}
      >
        {say('addLeg')}
      </button>
    </>
  )
}

interface PackingFieldsProps {
  readonly packings: readonly Packing[]
  readonly change: Change
  readonly packagings: readonly Packaging[]
}

export function PackingFields({ packings, change, packagings }: PackingFieldsProps) {
  const say = useMessages({ en, de })
  const choices = packagings.map(({ packaging_id: value, name: label }) => ({ value, label }))
  const add = useRef<HTMLButtonElement>(null)
  const set = (at: number, packing: Packing) => change({ packings: packings.with(at, packing) })
  return (
    <>
      {packings.map((packing, at) => (
        <fieldset key={at} className="estimate-row">
          <legend>{say('packing', { number: at + 1 })}</legend>
          <ChoiceField
            label={say('material')}
            value={packing.id}
            choices={choices}
            onChange={(id) => set(at, { ...packing, id })}
          />
          <div className="estimate-with-action">
            <NumberField
              label={say('weight')}
              value={packing.kg}
              max={KG_MAX}
              onChange={(kg) => set(at, { ...packing, kg })}
            />
            <RemoveButton
              label={say('removePacking', { number: at + 1 })}
              onClick={() => {
                change({ packings: packings.toSpliced(at, 1) })
                add.current?.focus()
              }}
            />
          </div>
        </fieldset>
      ))}
      <button
        ref={add}
        type="button"
        className="button"
        onClick={() => change({ packings: [...packings, { id: 'corrugated-board-recycled', kg: '0.3' }] })}
      >
        {say('addPacking')}
      </button>
    </>
  )
}

function RemoveButton({ label, onClick }: { readonly label: string; readonly onClick: () => void }) {
  return (
    <button type="button" className="button" aria-label={label} title={label} onClick={onClick}>
      <span aria-hidden>×</span>
    </button>
  )
}
