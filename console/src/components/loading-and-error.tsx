// What stands where something is not there yet, is not there at all, or went wrong: each says what to do.
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Problem, TOO_MANY_GROUPS, whyOf, type ProblemDetail } from '../api/problem.ts'
import { useMessages } from '../i18n/language.tsx'
import { Tell } from '../i18n/service-text.tsx'
import de from './messages.de.json'
import en from './messages.en.json'
import { lookupName } from './lookup-names.ts'
import './loading-and-error.css'

export function Loading() {
  const say = useMessages({ en, de })
  return (
    <p className="loading" role="status">
      {say('loading')}
    </p>
  )
}

export interface EmptyProps {
  readonly title: string
  /** What would fill it, or which filter hides it. */
  readonly children?: ReactNode
}

export const Empty = ({ title, children }: EmptyProps) => (
  <div className="empty">
    <p className="empty-title">{title}</p>
    {children}
  </div>
)

/** What was refused for what it is, or for what the key lacks, is refused again. */
const IN_VAIN = [400, 403]

export interface ProblemNoticeProps {
  readonly problem: Error
  readonly onRetry?: () => void
  /** In place of the service's sentence, where the page knows better what to do. */
  readonly sentence?: string | undefined
}

/** The sentences of the service, as they came; a fault of the console's own is told by its message. */
export function ProblemNotice({ problem, onRetry, sentence }: ProblemNoticeProps) {
  const say = useMessages({ en, de })
  const { status, code, details, requestId } =
    problem instanceof Problem ? problem : { status: -1, code: '', details: [], requestId: null }
  // What was asked wrongly is told by the names that it has on the page, not by those of the API.
  const isOfAsked = details.length > 0 && details.every(({ path }) => path.startsWith('?'))
  const own =
    status === 0 ? 'unreachable' : code === TOO_MANY_GROUPS ? 'tooManyGroups' : isOfAsked ? 'askedWrongly' : null
  return (
    <div className="problem" role="alert">
      <p className="problem-title">{sentence ?? (own === null ? <Tell text={whyOf(problem)} /> : say(own))}</p>
      {details.length > 0 && !(sentence === undefined && own === null && saysAll(problem.message, details)) && (
        <ul>
          {details.map((detail, at) => (
            <Detail key={at} {...detail} />
          ))}
        </ul>
      )}
      {requestId !== null && (
        <p className="problem-request">
          {say('request')} <code>{requestId}</code>
        </p>
      )}
      {onRetry && !IN_VAIN.includes(status) && (
        <button className="button" onClick={onRetry}>
          {say('retry')}
        </button>
      )}
    </div>
  )
}

/** The service's sentence ends with what is wrong, where that is one thing: it is not told twice. */
const saysAll = (sentence: string, [only, ...others]: readonly ProblemDetail[]): boolean =>
  only !== undefined &&
  others.length === 0 &&
  !only.suggestions?.length &&
  sentence.toLowerCase().endsWith(only.message.toLowerCase())

function Detail(detail: ProblemDetail) {
  const say = useMessages({ en, de })
  const { path, suggestions } = detail
  const name = lookupName(path)
  // The service says which day comes first by the names of its parameters.
  if (name === 'asked_to' && detail.code === 'before_from') return <li>{say('lastBeforeFirst')}</li>
  return (
    <li>
      {name !== null ? `${say(name)}:` : path !== '' && <code>{path.replace(/^\?/, '')}</code>} <Tell text={detail} />
      {suggestions && suggestions.length > 0 && <> ({suggestions.join(', ')})</>}
    </li>
  )
}

export interface LoadedProps<Data> {
  readonly query: UseQueryResult<Data>
  readonly children: (data: Data) => ReactNode
}

/** What a query answered, or where it stands. What was read before stays while the next page is on its way. */
export function Loaded<Data>({ query, children }: LoadedProps<Data>) {
  const { data, error, refetch, isPlaceholderData } = query
  if (error) return <ProblemNotice problem={error} onRetry={() => void refetch()} />
  if (data === undefined) return <Loading />
  return (
    <div className="stack" aria-busy={isPlaceholderData}>
      {children(data)}
    </div>
  )
}
