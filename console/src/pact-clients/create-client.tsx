// Creating an OAuth client of a customer; then its secret, this once, with what else the customer needs.
import { useId, useState, type FormEvent } from 'react'
import { Problem } from '../api/problem.ts'
import { CodeToCopy } from '../components/copyable-code.tsx'
import { Field } from '../components/fields.tsx'
import { ProblemNotice } from '../components/loading-and-error.tsx'
import { Panel } from '../components/panel.tsx'
import { SecretPanel } from '../components/secret-panel.tsx'
import { useMessages } from '../i18n/language.tsx'
import { Tell } from '../i18n/service-text.tsx'
import { useSession } from '../session/session.tsx'
import de from './messages.de.json'
import en from './messages.en.json'
import { useCreating, type PactClientParams } from './use-pact-clients.ts'

const TEXT_LENGTH_MAX = 200
const URL_LENGTH_MAX = 1_000

export function CreateClient({ onClose }: { readonly onClose: () => void }) {
  const { data, mutate, isPending, error } = useCreating()
  return data ? (
    <Made id={data.client_id} secret={data.client_secret} onClose={onClose} />
  ) : (
    <ClientForm onCreate={mutate} isPending={isPending} problem={error} onClose={onClose} />
  )
}

interface MadeProps {
  readonly id: string
  readonly secret: string
  readonly onClose: () => void
}

function Made({ id, secret, onClose }: MadeProps) {
  const t = useMessages({ en, de })
  const { pactUrl } = useSession()
  return (
    <SecretPanel
      title={t('made')}
      warning={t('shownOnce')}
      name={t('secret')}
      secret={secret}
      saved={t('savedSecret')}
      unsaved={t('notSaved')}
      onClose={onClose}
    >
      <p>{t('handOver')}</p>
      <Stated name={t('clientId')} code={id} />
      <Stated name={t('address')} code={pactUrl ?? ''} />
    </SecretPanel>
  )
}

const Stated = ({ name, code }: { readonly name: string; readonly code: string }) => (
  <div className="pact-stated">
    <strong>{name}</strong>
    <CodeToCopy code={code} name={name} />
  </div>
)

interface ClientFormProps {
  readonly onCreate: (params: PactClientParams) => void
  readonly isPending: boolean
  readonly problem: Error | null
  readonly onClose: () => void
}

const EMPTY = { label: '', customer: '', url: '', theirId: '', theirSecret: '' }
type Name = keyof typeof EMPTY

/** Where each member of the request is filled in. */
const PATHS: Readonly<Record<Name, string>> = {
  label: '/label',
  customer: '/customer_id',
  url: '/events/url',
  theirId: '/events/client_id',
  theirSecret: '/events/client_secret',
}

function ClientForm({ onCreate, isPending, problem, onClose }: ClientFormProps) {
  const t = useMessages({ en, de })
  const id = useId()
  const [values, setValues] = useState(EMPTY)
  const [sendsEvents, setSendsEvents] = useState(false)
  const details = problem instanceof Problem ? problem.details : []
  const detailOf = (name: Name) => details.find(({ path }) => path === PATHS[name])
  const isShownAtFields = details.length > 0 && details.every(({ path }) => Object.values(PATHS).includes(path))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const { label, customer, url, theirId, theirSecret } = values
    const events = { url: url.trim(), client_id: theirId, client_secret: theirSecret }
    onCreate({ label, customer_id: customer, ...(sendsEvents && { events }) })
  }
  const field = (name: Name, hint?: string) => {
    const detail = detailOf(name)
    return (
      <Field label={t(name)} hint={hint} error={detail && <Tell text={detail} />}>
        {(ids) => (
          <input
            {...ids}
            required
            type={name === 'theirSecret' ? 'password' : 'text'}
            maxLength={name === 'url' ? URL_LENGTH_MAX : TEXT_LENGTH_MAX}
            autoComplete={name === 'theirSecret' ? 'new-password' : 'off'}
            value={values[name]}
            onChange={({ target }) => setValues({ ...values, [name]: target.value })}
          />
        )}
      </Field>
    )
  }
  return (
    <Panel
      title={t('add')}
      place="middle"
      isOpen
      onClose={onClose}
      actions={
        <>
          <button className="button" onClick={onClose}>
            {t('cancel')}
          </button>
          <button className="button button-primary" form={id} disabled={isPending}>
            {t('create')}
          </button>
        </>
      }
    >
      <form id={id} className="section" onSubmit={submit}>
        {field('label', t('labelHelp'))}
        {field('customer', t('customerHelp'))}
        <label className="check">
          <input type="checkbox" checked={sendsEvents} onChange={({ target }) => setSendsEvents(target.checked)} />
          {t('events')}
        </label>
        <p className="muted">{t('eventsHelp')}</p>
        {sendsEvents && (
          <>
            {field('url', t('urlHelp'))}
            {field('theirId')}
            {field('theirSecret')}
          </>
        )}
        {problem && !isShownAtFields && <ProblemNotice problem={problem} />}
      </form>
    </Panel>
  )
}
