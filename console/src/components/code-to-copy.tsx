// A command to copy, as it stands.
import { useState } from 'react'
import { useMessages } from '../language/language.tsx'
import './code-to-copy.css'
import de from './messages.de.json'
import en from './messages.en.json'

export function CodeToCopy({ code }: { readonly code: string }) {
  const say = useMessages({ en, de })
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(code)
    setCopied(true)
  }
  return (
    <div className="code-to-copy">
      <pre>{code}</pre>
      {/* Without a secure connection the browser gives no clipboard: the text can be selected then. */}
      {'clipboard' in navigator && (
        <button className="button button-small" onClick={() => void copy()}>
          <span aria-live="polite">{say(isCopied ? 'copied' : 'copy')}</span>
        </button>
      )}
    </div>
  )
}
