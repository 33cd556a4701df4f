// What becomes of orders and events in which something is probably wrong.
import { useState } from 'react'
import type { Schemas } from '../api/client.ts'
import { NumberField } from '../components/fields.tsx'
import { Loaded, ProblemNotice } from '../components/loading-and-error.tsx'
import { useToast } from '../components/toast.tsx'
import { useAccount, useAccountSaving } from '../demo/fleet.ts'
import { useMessages } from '../i18n/language.tsx'
import de from './messages.de.json'
import en from './messages.en.json'

type Account = Schemas['Account']
type Strictness = Account['strictness']
const STRICTNESSES: readonly Strictness[] = ['warn', 'refuse']

/** A hundred years. */
const DAYS_MAX = 36_525
/** That of a new account. */
const DAYS_AT_FIRST = 1

export function Checks() {
  const t = useMessages({ en, de })
  const account = useAccount()
  return (
    <section className="card" aria-labelledby="checks">
      <h2 id="checks">{t('checks')}</h2>
      <p className="lead">{t('checksLead')}</p>
      <Loaded query={account}>
        {(loaded) => <ChecksForm key={`${loaded.strictness} ${loaded.days_ahead_max}`} account={loaded} />}
      </Loaded>
    </section>
  )
}

function ChecksForm({ account }: { readonly account: Account }) {
  const t = useMessages({ en, de })
  const { amortisation, strictness: now, days_ahead_max: daysNow } = account
  const [strictness, setStrictness] = useState(now)
  const [isLimited, setLimited] = useState(daysNow !== null)
  const [days, setDays] = useState(String(daysNow ?? DAYS_AT_FIRST))
  const daysAhead = isLimited ? Number(days) : null
  const isValid = daysAhead === null || (days !== '' && Number.isInteger(daysAhead) && daysAhead <= DAYS_MAX)
  const toast = useToast()
  const { mutate, isPending, error } = useAccountSaving(() => toast(t('checksSaved'), t('checksSavedHelp')))
  const isSame = strictness === now && daysAhead === daysNow
  return (
    <form
      className="settings-form"
      onSubmit={(event) => {
        event.preventDefault()
        mutate({ amortisation, strictness, days_ahead_max: daysAhead })
      }}
    >
      <StrictnessChoice {...{ now, strictness }} onChange={setStrictness} />
      <fieldset className="settings-form">
        <legend>{t('daysAhead')}</legend>
        <label className="settings-choice">
          <input type="checkbox" checked={isLimited} onChange={({ target }) => setLimited(target.checked)} />
          <span>{t('limitDays')}</span>
        </label>
        {isLimited && (
          <NumberField
            label={t('daysAheadMax')}
            hint={t('daysAheadHint')}
            value={days}
            max={DAYS_MAX}
            step={1}
            onChange={setDays}
          />
        )}
      </fieldset>
      <div>
        <button className="button button-primary" disabled={isSame || !isValid || isPending}>
          {t('saveChecks')}
        </button>
      </div>
      {error && <ProblemNotice problem={error} />}
    </form>
  )
}

interface StrictnessChoiceProps {
  readonly now: Strictness
  readonly strictness: Strictness
  readonly onChange: (strictness: Strictness) => void
}

function StrictnessChoice({ now, strictness, onChange }: StrictnessChoiceProps) {
  const t = useMessages({ en, de })
  return (
    <fieldset className="settings-pair">
      <legend>{t('strictness')}</legend>
      {STRICTNESSES.map((one) => (
        <label key={one} className="settings-choice settings-choice-card">
          <input
            type="radio"
            name="strictness"
            value={one}
            checked={strictness === one}
            onChange={() => onChange(one)}
          />
          <span>
            <strong>{t(one)}</strong> {one === now && <span className="tag">{t('inForce')}</span>}
            <br />
            <span>{t(`${one}Help`)}</span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}
