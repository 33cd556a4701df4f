// A button that copies a text, and says that it did; where the browser forbids it, it says so.
import { useState } from 'react'
import { useMessages } from '../i18n/language.tsx'
import de from './messages.de.json'
import en from './messages.en.json'

export interface CopyButtonProps {
  readonly text: string
  /** What is copied, for those who do not see what the button stands beside. */
  readonly name: string
  readonly onCopied?: () => void
  readonly look?: 'primary' | 'small' | undefined
}

/** Browsers forbid it to pages that came neither encrypted nor from the own machine: then it is copied by hand. */
export function CopyButton({ text, name, onCopied, look }: CopyButtonProps) {
  const t = useMessages({ en, de })
  const [last, setLast] = useState({ text: '', state: 'copy' as 'copy' | 'copied' | 'notCopied' })
  // Another text than the one that was copied is not copied yet.
  const state = last.text === text ? last.state : 'copy'
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setLast({ text, state: 'copied' })
      onCopied?.()
    } catch {
      setLast({ text, state: 'notCopied' })
    }
  }
  return (
    <>
      <button
        type="button"
        className={look ? `button button-${look}` : 'button'}
        aria-label={t('copyThis', { name })}
        onClick={() => void copy()}
      >
        {t(state === 'copied' ? 'copied' : 'copy')}
      </button>
      <span role="status" className={state === 'notCopied' ? undefined : 'hidden-visually'}>
        {state !== 'copy' && t(state)}
      </span>
    </>
  )
}
