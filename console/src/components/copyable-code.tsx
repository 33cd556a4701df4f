// A command to copy, or what else is written letter by letter, as it stands.
import { useMessages } from '../i18n/language.tsx'
import { CopyButton } from './copy-button.tsx'
import './copyable-code.css'
import de from './messages.de.json'
import en from './messages.en.json'

export interface CodeToCopyProps {
  readonly code: string
  /** What it is, where it is no command. */
  readonly name?: string
}

export function CodeToCopy({ code, name }: CodeToCopyProps) {
  const t = useMessages({ en, de })
  return (
    <div className="code-to-copy">
      <pre>{code}</pre>
      <CopyButton text={code} name={name ?? t('theCommand')} look="small" />
    </div>
  )
}
