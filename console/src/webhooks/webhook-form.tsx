// The form of a webhook: where events are sent, which, what for, and whether at all.
import { useEffect, useId, useRef, useState, type ReactNode } from 'react'
import { Problem } from '../api/problem.ts'
import { Field } from '../components/fields.tsx'
import { ProblemNotice } from '../components/loading-and-error.tsx'
import { Panel } from '../components/panel.tsx'
import { useMessages } from '../i18n/language.tsx'
import { Tell } from '../i18n/service-text.tsx'
import de from './messages.de.json'
import en from './messages.en.json'
import { EVENT_TYPES, type EventType, type Webhook, type WebhookParams } from './use-webhooks.ts'

const URL_LENGTH_MAX = 2_000
const DESCRIPTION_LENGTH_MAX = 200

export interface WebhookFormProps {
  /** Null for a new one, which is enabled. */
  readonly webhook: Webhook | null
  readonly onSend: (params: WebhookParams) => void
  readonly isPending: boolean
  readonly problem: Error | null
  readonly onClose: () => void
}

export function WebhookForm({ webhook, onSend, isPending, problem, onClose }: WebhookFormProps) {
  const t = useMessages({ en, de })
  const id = useId()
  const [url, setUrl] = useState(webhook?.url ?? '')
  const [description, setDescription] = useState(webhook?.description ?? '')
  const [isEnabled, setEnabled] = useState(webhook?.enabled ?? true)
  /** Null stands for all types, which the API calls an empty list. */
  const [types, setTypes] = useState<readonly EventType[] | null>(webhook?.types.length ? webhook.types : null)
  const [lacksType, setLacksType] = useState(false)
  const send = () => {
    setLacksType(types?.length === 0)
    if (types?.length === 0) return
    onSend({ url: url.trim(), types: [...(types ?? [])], description: description.trim(), enabled: isEnabled })
  }
  return (
    <Panel
      title={t(webhook ? 'editTitle' : 'add')}
      place="middle"
      isOpen
      onClose={onClose}
      actions={
        <>
          <button className="button" onClick={onClose}>
            {t('cancel')}
          </button>
          <button className="button button-primary" form={id} disabled={isPending}>
            {t(webhook ? 'save' : 'create')}
          </button>
        </>
      }
    >
      <form
        id={id}
        className="webhook-form"
        onSubmit={(event) => {
          event.preventDefault()
          send()
        }}
      >
        <UrlField url={url} problem={problem} onChange={setUrl} />
        <Field label={t('description')} hint={t('descriptionHelp')}>
          {(ids) => (
            <input
              {...ids}
              maxLength={DESCRIPTION_LENGTH_MAX}
              autoComplete="off"
              value={description}
              onChange={({ target }) => setDescription(target.value)}
            />
          )}
        </Field>
        <TypeChoice types={types} lacksType={lacksType} onChange={setTypes} />
        {webhook && <Choice label={t('enabled')} help={t('enabledHelp')} isChecked={isEnabled} onChange={setEnabled} />}
        {problem && !faultOf(problem) && <ProblemNotice problem={problem} />}
      </form>
    </Panel>
  )
}

/** What the service says is wrong with the URL. */
const faultOf = (problem: Error | null) =>
  problem instanceof Problem ? problem.details.find(({ path }) => path === '/url') : undefined

interface UrlFieldProps {
  readonly url: string
  readonly problem: Error | null
  readonly onChange: (url: string) => void
}

/** A fault leads to the field: the button is at the end of a long form, and the field at its beginning. */
function UrlField({ url, problem, onChange }: UrlFieldProps) {
  const t = useMessages({ en, de })
  const input = useRef<HTMLInputElement>(null)
  const fault = faultOf(problem)
  useEffect(() => {
    if (fault) input.current?.focus()
  }, [fault])
  return (
    <Field label={t('url')} hint={t('urlHelp')} error={fault && <Tell text={fault} />}>
      {(ids) => (
        <input
          {...ids}
          ref={input}
          required
          maxLength={URL_LENGTH_MAX}
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
          placeholder="https://example.com/cradle"
          value={url}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </Field>
  )
}

interface TypeChoiceProps {
  readonly types: readonly EventType[] | null
  readonly lacksType: boolean
  readonly onChange: (types: readonly EventType[] | null) => void
}

function TypeChoice({ types, lacksType, onChange }: TypeChoiceProps) {
  const t = useMessages({ en, de })
  const name = useId()
  const toggle = (type: EventType, isChosen: boolean) =>
    onChange(EVENT_TYPES.filter((one) => (one === type ? isChosen : types?.includes(one))))
  return (
    <fieldset>
      <legend>{t('types')}</legend>
      <Choice
        radio={name}
        label={t('allTypes')}
        help={t('allTypesHelp')}
        isChecked={types === null}
        onChange={() => onChange(null)}
      />
      <Choice radio={name} label={t('someTypes')} isChecked={types !== null} onChange={() => onChange([])} />
      {lacksType && types?.length === 0 && (
        <p role="alert" className="problem">
          {t('noType')}
        </p>
      )}
      {types !== null && (
        <div className="webhook-types">
          {EVENT_TYPES.map((type) => (
            <Choice
              key={type}
              label={t(`type-${type}`)}
              help={<code>{type}</code>}
              isChecked={types.includes(type)}
              onChange={(isChosen) => toggle(type, isChosen)}
            />
          ))}
        </div>
      )}
    </fieldset>
  )
}

interface ChoiceProps {
  readonly label: string
  readonly help?: ReactNode
  /** The name of its group, of which one is chosen; without it, it is chosen by itself. */
  readonly radio?: string
  readonly isChecked: boolean
  readonly onChange: (isChecked: boolean) => void
}

function Choice({ label, help, radio, isChecked, onChange }: ChoiceProps) {
  return (
    <label className="webhook-choice">
      <input
        type={radio === undefined ? 'checkbox' : 'radio'}
        name={radio}
        checked={isChecked}
        onChange={({ target }) => onChange(target.checked)}
      />
      <span>
        {label}
        {help && (
          <>
            <br />
            <span className="muted">{help}</span>
          </>
        )}
      </span>
    </label>
  )
}
