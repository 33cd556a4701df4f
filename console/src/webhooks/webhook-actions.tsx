// What can be done with a webhook: it is tested, enabled, edited, given another secret, or deleted.
import { useState } from 'react'
import { useLocation } from 'wouter'
import { ProblemNotice } from '../components/loading-and-error.tsx'
import { QuestionDialog } from '../components/question-dialog.tsx'
import { useToast } from '../components/toast.tsx'
import { useMessages } from '../i18n/language.tsx'
import de from './messages.de.json'
import en from './messages.en.json'
import { stateOf, useChanging, useDeleting, useReplacing, useTesting, type Webhook } from './use-webhooks.ts'
import { WebhookForm } from './webhook-form.tsx'
import { WebhookSecret } from './webhook-secret.tsx'

interface ActionProps {
  readonly webhook: Webhook
}

export function WebhookActions({ webhook }: ActionProps) {
  const t = useMessages({ en, de })
  const state = stateOf(webhook)
  return (
    <>
      <div className="row">
        {webhook.enabled && <SendTest webhook={webhook} />}
        {(state === 'off' || state === 'paused') && <Enable key={state} webhook={webhook} />}
        <Edit webhook={webhook} />
        <Replace webhook={webhook} />
        <Delete webhook={webhook} />
      </div>
      {!webhook.enabled && <p className="muted">{t('offHelp')}</p>}
    </>
  )
}

function SendTest({ webhook: { webhook_id: id } }: ActionProps) {
  const t = useMessages({ en, de })
  const toast = useToast()
  const { mutate, isPending, error } = useTesting(id, () => toast(t('testSent'), t('testSentHelp')))
  return (
    <>
      <button className="button button-primary" disabled={isPending} onClick={() => mutate()}>
        {t('sendTest')}
      </button>
      {error && <ProblemNotice problem={error} />}
    </>
  )
}

/** The same request enables a webhook and ends a pause. */
function Enable({ webhook: { webhook_id: id, enabled: isPaused } }: ActionProps) {
  const t = useMessages({ en, de })
  const toast = useToast()
  const { mutate, isPending, error } = useChanging(id, () => toast(t(isPaused ? 'pauseEnded' : 'enabledNow')))
  return (
    <>
      <button
        className={isPaused ? 'button' : 'button button-primary'}
        disabled={isPending}
        onClick={() => mutate({ enabled: true })}
      >
        {t(isPaused ? 'endPause' : 'enable')}
      </button>
      {error && <ProblemNotice problem={error} />}
    </>
  )
}

function Edit({ webhook }: ActionProps) {
  const t = useMessages({ en, de })
  const [isEditing, setEditing] = useState(false)
  return (
    <>
      <button className="button" onClick={() => setEditing(true)}>
        {t('edit')}
      </button>
      {isEditing && <EditForm webhook={webhook} onClose={() => setEditing(false)} />}
    </>
  )
}

/** Only what differs is sent, so that a change that somebody else made meanwhile is kept, and no pause is ended. */
function EditForm({ webhook, onClose }: ActionProps & { readonly onClose: () => void }) {
  const t = useMessages({ en, de })
  const toast = useToast()
  const [before] = useState(webhook)
  const { mutate, isPending, error } = useChanging(before.webhook_id, () => {
    toast(t('saved'))
    onClose()
  })
  return (
    <WebhookForm
      webhook={before}
      onSend={({ url, types = [], description = '', enabled = true }) => {
        const changes = {
          ...(url !== before.url && { url }),
          ...(types.join() !== before.types.join() && { types }),
          ...(description !== before.description && { description }),
          ...(enabled !== before.enabled && { enabled }),
        }
        if (Object.keys(changes).length > 0) mutate(changes)
        else onClose()
      }}
      isPending={isPending}
      problem={error}
      onClose={onClose}
    />
  )
}

function Replace({ webhook: { webhook_id: id, previous_secret_until: until } }: ActionProps) {
  const t = useMessages({ en, de })
  const [isAsking, setAsking] = useState(false)
  const { data, mutate, reset, isPending, error } = useReplacing(id)
  return (
    <>
      <button className="button" onClick={() => setAsking(true)}>
        {t('replace')}
      </button>
      <QuestionDialog
        title={t('replaceQuestion')}
        answer={t('replace')}
        isDisabled={isPending}
        isOpen={isAsking}
        onAnswer={() => mutate(undefined, { onSuccess: () => setAsking(false) })}
        onClose={() => setAsking(false)}
      >
        <p>{t('replaceHelp')}</p>
        {until !== null && <p className="note note-warning">{t('replaceTwice')}</p>}
        {error && <ProblemNotice problem={error} />}
      </QuestionDialog>
      {data && <WebhookSecret title={t('replaced')} secret={data.secret} onClose={reset} />}
    </>
  )
}

function Delete({ webhook: { webhook_id: id, url, number_of_waiting_deliveries: waiting } }: ActionProps) {
  const t = useMessages({ en, de })
  const toast = useToast()
  const [, navigate] = useLocation()
  const [isAsking, setAsking] = useState(false)
  const { mutate, isPending, error } = useDeleting(id, () => {
    toast(t('deleted'))
    navigate('/settings/webhooks')
  })
  return (
    <>
      <button className="button button-danger" onClick={() => setAsking(true)}>
        {t('delete')}
      </button>
      <QuestionDialog
        title={t('deleteQuestion')}
        answer={t('delete')}
        isDisabled={isPending}
        isOpen={isAsking}
        onAnswer={() => mutate()}
        onClose={() => setAsking(false)}
      >
        <p className="webhook-url">{t('deleteHelp', { url })}</p>
        {waiting > 0 && <p>{t('deleteWaiting', { count: waiting })}</p>}
        {error && <ProblemNotice problem={error} />}
      </QuestionDialog>
    </>
  )
}
