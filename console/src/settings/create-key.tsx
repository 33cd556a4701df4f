// Making a key: what it is for, what it may do and for how long; then the key itself, this once.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId, useState, type FormEvent } from 'react'
import { api, read, type Schemas } from '../api/client.ts'
import { Panel } from '../components/panel.tsx'
import { ProblemNotice } from '../components/loading-and-error.tsx'
import { SecretPanel } from '../components/secret-panel.tsx'
import { useMessages } from '../i18n/language.tsx'
import { KEYS_KEY } from './key-list.ts'
import de from './messages.de.json'
import en from './messages.en.json'

type NewKey = Schemas['KeyParams']

const SCOPES = ['orders:write', 'orders:read', 'catalogue:read', 'admin'] as const
const LABEL_MAX = 200
/** Days, or a day that is chosen, or for good. */
const EXPIRIES = ['30', '90', '365', 'day', 'never'] as const
const DAY_MS = 86_400_000

export function CreateKey({ onClose }: { readonly onClose: () => void }) {
  const client = useQueryClient()
  const making = useMutation({
    mutationFn: (body: NewKey) => read(api.POST('/api/keys', { body })),
    onSuccess: () => client.invalidateQueries({ queryKey: KEYS_KEY }),
  })
  return making.data ? (
    <Made secret={making.data.key} onClose={onClose} />
  ) : (
    <KeyForm onMake={making.mutate} isPending={making.isPending} problem={making.error} onClose={onClose} />
  )
}

interface KeyFormProps {
  readonly onMake: (key: NewKey) => void
  readonly isPending: boolean
  readonly problem: Error | null
  readonly onClose: () => void
}

function KeyForm({ onMake, isPending, problem, onClose }: KeyFormProps) {
  const t = useMessages({ en, de })
  const id = useId()
  const [lacksScope, setLacksScope] = useState(false)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const key = readForm(new FormData(event.currentTarget))
    setLacksScope(key.scopes.length === 0)
    if (key.scopes.length > 0) onMake(key)
  }
  return (
    <Panel
      title={t('createKey')}
      place="middle"
      isOpen
      onClose={onClose}
      actions={
        <>
          <button className="button" onClick={onClose}>
            {t('cancel')}
          </button>
          <button className="button button-primary" form={id} disabled={isPending}>
            {t(isPending ? 'creating' : 'create')}
          </button>
        </>
      }
    >
      <form id={id} className="settings-form" onSubmit={submit}>
        <div>
          <label htmlFor={`${id}-label`}>{t('label')}</label>
          <input id={`${id}-label`} name="label" required maxLength={LABEL_MAX} placeholder={t('labelExample')} />
        </div>
        <fieldset>
          <legend>{t('scopes')}</legend>
          {SCOPES.map((scope) => (
            <label key={scope} className="settings-choice">
              <input type="checkbox" name="scopes" value={scope} />
              <span>
                <code>{scope}</code>
                <br />
                <span className="muted">{t(scope)}</span>
              </span>
            </label>
          ))}
          {lacksScope && (
            <p role="alert" className="problem">
              {t('noScope')}
            </p>
          )}
        </fieldset>
        <Expiry id={id} />
      </form>
      {problem && <ProblemNotice problem={problem} />}
    </Panel>
  )
}

function Expiry({ id }: { readonly id: string }) {
  const t = useMessages({ en, de })
  const [expiry, setExpiry] = useState<string>('365')
  return (
    <div className="settings-expiry">
      <div>
        <label htmlFor={`${id}-expiry`}>{t('duration')}</label>
        <select id={`${id}-expiry`} name="expiry" value={expiry} onChange={({ target }) => setExpiry(target.value)}>
          {EXPIRIES.map((one) => (
            <option key={one} value={one}>
              {t(`in-${one}`)}
            </option>
          ))}
        </select>
      </div>
      {expiry === 'day' && (
        <div>
          <label htmlFor={`${id}-day`}>{t('lastDay')}</label>
          <input id={`${id}-day`} name="day" type="date" required min={new Date().toLocaleDateString('sv')} />
        </div>
      )}
    </div>
  )
}

function readForm(form: FormData): NewKey {
  const expires = expiryOf(textOf(form, 'expiry'), textOf(form, 'day'))
  return {
    label: textOf(form, 'label').trim(),
    scopes: form.getAll('scopes') as NewKey['scopes'],
    ...(expires && { expires_at: expires.toISOString() }),
  }
}

const textOf = (form: FormData, name: string): string => {
  const value = form.get(name)
  return typeof value === 'string' ? value : ''
}

/** A day that is chosen counts to its end, where the reader is. */
function expiryOf(expiry: string, day: string): Date | null {
  if (expiry === 'never') return null
  return expiry === 'day' ? new Date(`${day}T23:59:59`) : new Date(Date.now() + Number(expiry) * DAY_MS)
}

function Made({ secret, onClose }: { readonly secret: string; readonly onClose: () => void }) {
  const t = useMessages({ en, de })
  return (
    <SecretPanel
      title={t('keyCreated')}
      warning={t('shownOnce')}
      name={t('theKey')}
      secret={secret}
      saved={t('savedKey')}
      unsaved={t('notSaved')}
      onClose={onClose}
    >
      <p className="muted">{t('sendIt')}</p>
    </SecretPanel>
  )
}
