// The series of grid factors by which the account charges use from now on.
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Schemas } from '../api/client.ts'
import { Loaded, ProblemNotice } from '../components/loading-and-error.tsx'
import { useToast } from '../components/toast.tsx'
import { useAccount, useAccountSaving } from '../demo/fleet.ts'
import { useMessages } from '../i18n/language.tsx'
import de from './messages.de.json'
import en from './messages.en.json'
import { useReleases } from './use-releases.ts'

type Series = Schemas['DatasetReleases']['grid_series'][number]

export function GridSeries() {
  const t = useMessages({ en, de })
  const account = useAccount()
  const releases = useReleases()
  return (
    <section className="card" aria-labelledby="grid-series">
      <h2 id="grid-series">{t('series')}</h2>
      <p className="lead">{t('seriesLead')}</p>
      <Loaded query={account}>
        {(loaded) => (
          <Loaded query={releases}>
            {({ grid_series: all }) => <Choice key={loaded.grid_series} account={loaded} all={all} />}
          </Loaded>
        )}
      </Loaded>
    </section>
  )
}

interface ChoiceProps {
  readonly account: Schemas['Account']
  readonly all: readonly Series[]
}

function Choice({ account: { amortisation, grid_series: stored }, all }: ChoiceProps) {
  const t = useMessages({ en, de })
  const now = all.find(({ id }) => id === stored)?.id ?? all.find(({ is_default: isDefault }) => isDefault)!.id
  const [chosen, setChosen] = useState(now)
  const client = useQueryClient()
  const toast = useToast()
  const { mutate, isPending, error } = useAccountSaving(() => {
    toast(t('seriesSaved'), t('seriesSavedHelp'))
    void client.invalidateQueries({ refetchType: 'none' })
  })
  return (
    <form
      className="settings-form"
      onSubmit={(event) => {
        event.preventDefault()
        mutate({ amortisation, grid_series: chosen })
      }}
    >
      <fieldset className="settings-pair">
        <legend>{t('seriesLegend')}</legend>
        {all.map((one) => (
          <label key={one.id} className="settings-choice settings-choice-card">
            <input
              type="radio"
              name="grid-series"
              value={one.id}
              checked={chosen === one.id}
              onChange={() => setChosen(one.id)}
            />
            <span>
              <strong>{t(`series-${one.electricity}`)}</strong>{' '}
              {one.id === now && <span className="tag">{t('current')}</span>}
              <br />
              <span>{t(`series-${one.electricity}Help`)}</span>
              <br />
              <span className="muted">
                {t('seriesSource', {
                  publisher: one.source.publisher,
                  countries: one.number_of_countries,
                  first: String(one.years[0]),
                  last: String(one.years.at(-1)),
                })}
              </span>
            </span>
          </label>
        ))}
      </fieldset>
      <div>
        <button className="button button-primary" disabled={chosen === now || isPending}>
          {t('seriesSave')}
        </button>
      </div>
      {error && <ProblemNotice problem={error} />}
    </form>
  )
}
