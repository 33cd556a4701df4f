// The state of a webhook or of a delivery as a tag, and why it is so in a sentence.
import { useFormat } from '../i18n/format.ts'
import { useMessages } from '../i18n/language.tsx'
import de from './messages.de.json'
import en from './messages.en.json'
import { stateOf, type Delivery, type Webhook } from './use-webhooks.ts'

export function StateTag({ webhook }: { readonly webhook: Webhook }) {
  const t = useMessages({ en, de })
  const state = stateOf(webhook)
  return (
    <span className="tag webhook-tag" data-state={webhook.disabled_reason === null ? state : 'failed'}>
      {t(`state-${state}`)}
    </span>
  )
}

export function DeliveryTag({ state }: Pick<Delivery, 'state'>) {
  const t = useMessages({ en, de })
  return (
    <span className="tag webhook-tag" data-state={state}>
      {t(`delivery-${state}`)}
    </span>
  )
}

/** @returns why it is in its state; null for one that works */
export function useReason(): (webhook: Webhook) => string | null {
  const t = useMessages({ en, de })
  const { time } = useFormat()
  return (webhook) => {
    const { disabled_reason: reason, paused_until: paused } = webhook
    const state = stateOf(webhook)
    if (state === 'off') return t(reason === null ? 'why-off' : `why-${reason}`)
    if (state === 'paused') return t('why-paused', { time: time(paused!) })
    return state === 'failing' ? t('why-failing') : null
  }
}
