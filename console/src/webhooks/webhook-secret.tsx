// The secret of a webhook, right after it was made or replaced.
import { SecretPanel } from '../components/secret-panel.tsx'
import { useMessages } from '../i18n/language.tsx'
import de from './messages.de.json'
import en from './messages.en.json'

export interface WebhookSecretProps {
  readonly title: string
  readonly secret: string
  readonly onClose: () => void
}

export function WebhookSecret({ title, secret, onClose }: WebhookSecretProps) {
  const t = useMessages({ en, de })
  return (
    <SecretPanel
      title={title}
      warning={t('shownOnce')}
      name={t('secret')}
      secret={secret}
      saved={t('savedSecret')}
      unsaved={t('notSaved')}
      onClose={onClose}
    >
      <p className="muted">{t('secretUse')}</p>
    </SecretPanel>
  )
}
