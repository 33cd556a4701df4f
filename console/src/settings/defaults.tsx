// What holds for devices that the account rents from now on.
import { useState } from 'react'
import type { Schemas } from '../api/client.ts'
import { Loaded, ProblemNotice } from '../components/loading-and-error.tsx'
import { useToast } from '../components/toast.tsx'
import { useAccount, useAccountSaving } from '../demo/fleet.ts'
import { useMessages } from '../i18n/language.tsx'
import de from './messages.de.json'
import en from './messages.en.json'

type Amortisation = Schemas['Account']['amortisation']
const AMORTISATIONS: readonly Amortisation[] = ['capped', 'uncapped']

export function Defaults() {
  const t = useMessages({ en, de })
  const account = useAccount()
  return (
    <section className="card" aria-labelledby="defaults">
      <h2 id="defaults">{t('defaults')}</h2>
      <p className="lead">{t('defaultsLead')}</p>
      <Loaded query={account}>{({ amortisation }) => <Choice key={amortisation} now={amortisation} />}</Loaded>
    </section>
  )
}

function Choice({ now }: { readonly now: Amortisation }) {
  const t = useMessages({ en, de })
  const toast = useToast()
  const [chosen, setChosen] = useState(now)
  const { mutate, isPending, error } = useAccountSaving(() => toast(t('saved'), t('savedHelp')))
  return (
    <form
      className="settings-form"
      onSubmit={(event) => {
        event.preventDefault()
        mutate({ amortisation: chosen })
      }}
    >
      <fieldset className="settings-pair">
        <legend>{t('amortisation')}</legend>
        {AMORTISATIONS.map((one) => (
          <label key={one} className="settings-choice settings-choice-card">
            <input
              type="radio"
              name="amortisation"
              value={one}
              checked={chosen === one}
              onChange={() => setChosen(one)}
            />
            <span>
              <strong>{t(one)}</strong> {one === now && <span className="tag">{t('inForce')}</span>}
              <br />
              <span>{t(`${one}Help`)}</span>
              <br />
              <span className="muted">{t(`${one}Example`)}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <div>
        <button className="button button-primary" disabled={chosen === now || isPending}>
          {t('save')}
        </button>
      </div>
      {error && <ProblemNotice problem={error} />}
    </form>
  )
}
