// What stands in a file and what is said of it, as tables of errors show it.
import { useFormat } from '../i18n/format.ts'
import { Tell, said } from '../i18n/service-text.tsx'

/** A cell as it stands in the file: what is long is broken, what is empty is told from what is not there. */
export const Written = ({ text }: { readonly text: string | null }) =>
  text === null ? <span className="muted">–</span> : <span className="import-written">{text === '' ? '""' : text}</span>

/** What would be right: a text to write, or what to do. */
export function Suggestion({ text }: { readonly text: string | null }) {
  const { told } = useFormat()
  return <Written text={text === null ? null : told(text, 'suggestion')} />
}

export const Reason = ({ text }: { readonly text: string }) => (
  <span className="import-reason">
    <Tell text={said(text)} />
  </span>
)
