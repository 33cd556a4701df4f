// The same estimate from a program: the request as curl or TypeScript, to copy, with a gap for the key.
import { useState } from 'react'
import { useToast } from '../components/toast.tsx'
import { useMessages } from '../i18n/language.tsx'
import { callOf, type CallForm } from './code-sample-text.ts'
import de from './messages.de.json'
import en from './messages.en.json'
import type { EstimateBody } from './form-to-request.ts'

const FORMS: readonly CallForm[] = ['curl', 'TypeScript']

export function Call({ body }: { readonly body: EstimateBody }) {
  const t = useMessages({ en, de })
  const toast = useToast()
  const [form, setForm] = useState<CallForm>('curl')
  const text = callOf(form, body, location.origin)
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => toast(t('copied', { form })),
      () => toast(t('notCopied')),
    )
  return (
    <section className="card" aria-label={t('call')}>
      <div className="row row-apart">
        <h2>{t('call')}</h2>
        <div className="row estimate-call-buttons">
          {FORMS.map((one) => (
            <button
              key={one}
              type="button"
              className="button button-small"
              aria-pressed={one === form}
              onClick={() => setForm(one)}
            >
              {one}
            </button>
          ))}
          {/* Only pages that came encrypted, or from this machine, may copy. */}
          {window.isSecureContext && (
            <button type="button" className="button button-small button-primary" onClick={() => void copy()}>
              {t('copy', { form })}
            </button>
          )}
        </div>
      </div>
      <p className="muted">{t('callHint')}</p>
      <pre tabIndex={0} role="region" aria-label={form}>
        <code>{text}</code>
      </pre>
    </section>
  )
}
