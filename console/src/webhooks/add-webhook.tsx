// Adding a webhook: where events are sent and which; then its secret, this once.
import { useLocation } from 'wouter'
import { useMessages } from '../i18n/language.tsx'
import de from './messages.de.json'
import en from './messages.en.json'
import { pathOfWebhook, useAdding } from './use-webhooks.ts'
import { WebhookForm } from './webhook-form.tsx'
import { WebhookSecret } from './webhook-secret.tsx'

/** Whoever has saved the secret is led to the webhook, where a test is sent from. */
export function AddWebhook({ onClose }: { readonly onClose: () => void }) {
  const t = useMessages({ en, de })
  const [, navigate] = useLocation()
  const { data, mutate, isPending, error } = useAdding()
  if (data) {
    const leave = () => navigate(pathOfWebhook(data.webhook_id))
    return <WebhookSecret title={t('made')} secret={data.secret} onClose={leave} />
  }
  return <WebhookForm webhook={null} onSend={mutate} isPending={isPending} problem={error} onClose={onClose} />
}
