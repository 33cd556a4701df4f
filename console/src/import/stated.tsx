// What is stated for a file beside how it is read: a kept profile, and what a list of devices lacks to be orders.
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api, read } from '../api/client.ts'
import { Field } from '../components/fields.tsx'
import { ProblemNotice } from '../components/loading-and-error.tsx'
import { useToast } from '../components/toast.tsx'
import { useMessages } from '../i18n/language.tsx'
import de from './messages.de.json'
import en from './messages.en.json'
import type { RequestedSettings } from './settings.ts'

export interface ProfileOffersProps {
  readonly names: readonly string[]
  readonly onUse: (name: string) => void
}

export function ProfileOffers({ names, onUse }: ProfileOffersProps) {
  const t = useMessages({ en, de })
  if (names.length === 0) return null
  return (
    <div className="row">
      {names.map((name) => (
        <button key={name} className="button button-primary" onClick={() => onUse(name)}>
          {t('useProfile', { name })}
        </button>
      ))}
    </div>
  )
}

const REGISTER_FIELDS = ['customer_id', 'starts_on', 'tenure_months', 'weight_kg', 'country'] as const
const IN_NUMBERS: readonly string[] = ['tenure_months', 'weight_kg']
type Stated = Readonly<Record<string, string | number>>

export interface RegisterFieldsProps {
  readonly asked: RequestedSettings
  readonly onAsk: (asked: RequestedSettings) => void
}

/** Empty fields are not stated: the file has a column for them. */
export function RegisterFields({ asked, onAsk }: RegisterFieldsProps) {
  const t = useMessages({ en, de })
  const stated = JSON.parse(asked.register || '{}') as Stated
  const state = (name: string, text: string) => {
    const others = Object.entries(stated).filter(([other]) => other !== name)
    const value = IN_NUMBERS.includes(name) ? Number(text) : text
    onAsk({ ...asked, register: JSON.stringify(Object.fromEntries(text === '' ? others : [...others, [name, value]])) })
  }
  return (
    <>
      <h3>{t('register')}</h3>
      <p className="muted">{t('registerHint')}</p>
      <div className="fields import-settings" role="group" aria-label={t('register')}>
        {REGISTER_FIELDS.map((name) => (
          <Field key={name} label={t(`register_${name}`)}>
            {(ids) => (
              <input
                {...ids}
                type={name === 'starts_on' ? 'date' : IN_NUMBERS.includes(name) ? 'number' : 'text'}
                min={0}
                step="any"
                maxLength={200}
                value={stated[name] ?? ''}
                onChange={({ target }) => state(name, target.value)}
              />
            )}
          </Field>
        ))}
      </div>
    </>
  )
}

/** Keeps the settings of a file for the next one with its header. */
export function SaveProfile({ importId, used }: { readonly importId: number; readonly used: string | null }) {
  const t = useMessages({ en, de })
  const toast = useToast()
  const [name, setName] = useState(used ?? '')
  const saving = useMutation({
    mutationFn: () =>
      read(
        api.PUT('/api/import-profiles/{name}', {
          params: { path: { name: name.trim() } },
          body: { import_id: importId },
        }),
      ),
    onSuccess: (profile) => toast(t('profileSaved', { name: profile.name })),
  })
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        saving.mutate()
      }}
    >
      <Field label={t('profileName')} hint={t('profileHint')}>
        {(ids) => <input {...ids} value={name} maxLength={100} onChange={({ target }) => setName(target.value)} />}
      </Field>
      <div className="row">
        <button className="button" disabled={name.trim() === '' || saving.isPending}>
          {t('saveProfile')}
        </button>
      </div>
      {saving.error && <ProblemNotice problem={saving.error} />}
    </form>
  )
}
