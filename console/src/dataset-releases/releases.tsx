// With which dataset release new orders are made, what is installed, and how two releases differ.
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Schemas } from '../api/client.ts'
import { ChoiceField } from '../components/fields.tsx'
import { Loaded, ProblemNotice } from '../components/loading-and-error.tsx'
import { useToast } from '../components/toast.tsx'
import { useAccount, useAccountSaving } from '../demo/fleet.ts'
import { useFormat } from '../i18n/format.ts'
import { useMessages } from '../i18n/language.tsx'
import { Comparison } from './comparison.tsx'
import de from './messages.de.json'
import en from './messages.en.json'
import { LATEST, releaseInForce, useReleases, type Release } from './use-releases.ts'

type Account = Schemas['Account']

export function Releases() {
  const t = useMessages({ en, de })
  const account = useAccount()
  const releases = useReleases()
  return (
    <section className="card" aria-labelledby="dataset-releases">
      <h2 id="dataset-releases">{t('title')}</h2>
      <p className="lead">{t('lead')}</p>
      <Loaded query={account}>
        {(loaded) => (
          <Loaded query={releases}>
            {({ dataset_releases: all }) => (
              <>
                <Choice key={loaded.dataset_release} account={loaded} releases={all} />
                {all.length > 1 && <Comparison key={all.length} releases={all} inForce={inForceOf(loaded, all)} />}
                {all.length === 1 && <p className="muted">{t('onlyOne')}</p>}
              </>
            )}
          </Loaded>
        )}
      </Loaded>
    </section>
  )
}

const inForceOf = ({ dataset_release: chosen }: Account, all: readonly Release[]): string =>
  releaseInForce(chosen, all)?.id ?? all[0]!.id

interface ChoiceProps {
  readonly account: Account
  readonly releases: readonly Release[]
}

function Choice({ account: { amortisation, dataset_release: now }, releases }: ChoiceProps) {
  const t = useMessages({ en, de })
  const { day } = useFormat()
  const newest = releases.find(({ is_newest: isNewest }) => isNewest) ?? releases[0]!
  const [isPinned, setPinned] = useState(now !== LATEST)
  const [pinned, setPinnedTo] = useState(now === LATEST ? newest.id : now)
  const chosen = isPinned ? pinned : LATEST
  const client = useQueryClient()
  const toast = useToast()
  const { mutate, isPending, error } = useAccountSaving(() => {
    toast(t('saved'), t('savedHelp'))
    // The catalogue, matches and estimates are those of the release.
    void client.invalidateQueries({ refetchType: 'none' })
  })
  const current = <span className="tag">{t('current')}</span>
  return (
    <form
      className="settings-form"
      onSubmit={(event) => {
        event.preventDefault()
        mutate({ amortisation, dataset_release: chosen })
      }}
    >
      <fieldset className="settings-pair">
        <legend>{t('newOrders')}</legend>
        <label className="settings-choice settings-choice-card">
          <input type="radio" name="release" checked={!isPinned} onChange={() => setPinned(false)} />
          <span>
            <strong>{t('follow')}</strong> {now === LATEST && current}
            <br />
            <span>{t('followHelp', { id: newest.id })}</span>
          </span>
        </label>
        <label className="settings-choice settings-choice-card">
          <input type="radio" name="release" checked={isPinned} onChange={() => setPinned(true)} />
          <span>
            <strong>{t('pin')}</strong> {now !== LATEST && current}
            <br />
            <span>{t('pinHelp')}</span>
          </span>
        </label>
      </fieldset>
      {isPinned && (
        <ChoiceField
          label={t('release')}
          value={pinned}
          choices={releases.map(({ id, installed_at: installed, is_newest: isNewest }) => ({
            value: id,
            label: [
              id,
              ...(installed ? [t('installed', { day: day(installed) })] : []),
              ...(isNewest ? [t('newest')] : []),
            ].join(' · '),
          }))}
          onChange={setPinnedTo}
        />
      )}
      <div>
        <button className="button button-primary" disabled={chosen === now || isPending}>
          {t('save')}
        </button>
      </div>
      {error && <ProblemNotice problem={error} />}
    </form>
  )
}
