// A cell of a file, what is wrong with it and what may be correct, as tables of errors show them.
import { Fragment } from 'react'
import type { Schemas } from '../api/client.ts'
import { useMessages } from '../i18n/language.tsx'
import { Tell } from '../i18n/service-text.tsx'
import type { ServiceMessage } from '../service-texts/messages.ts'
import de from './messages.de.json'
import en from './messages.en.json'

/** A cell as it is in the file. Long text wraps; an empty cell is shown as "", a missing one as a dash. */
export const CellText = ({ text }: { readonly text: string | null }) =>
  text === null ? <span className="muted">–</span> : <span className="import-cell">{text === '' ? '""' : text}</span>

type Suggested = Pick<Schemas['ImportError'], 'suggestion' | 'suggestions'>

/** Each value that may be correct. */
export const suggestionsOf = ({ suggestion, suggestions }: Suggested): readonly string[] =>
  suggestions ?? (suggestion === null ? [] : [suggestion])

export function Suggestions({ values }: { readonly values: readonly string[] }) {
  const t = useMessages({ en, de })
  if (values.length === 0) return <CellText text={null} />
  return (
    <span className="import-suggestions">
      {values.map((value, at) => (
        <Fragment key={value}>
          {at > 0 && <span className="muted"> {t('or')} </span>}
          <CellText text={value} />
        </Fragment>
      ))}
    </span>
  )
}

/** The sentence of an error with its code; errors of imports from before codes have none. */
export const messageOf = ({ reason, code, params }: Pick<Schemas['ImportError'], 'reason' | 'code' | 'params'>) =>
  ({ message: reason, ...(code !== undefined && { code }), ...(params && { params }) }) satisfies ServiceMessage

export const Reason = ({ message }: { readonly message: ServiceMessage }) => (
  <span className="import-reason">
    <Tell text={message} />
  </span>
)
