// What stands where something is not there yet, is not there at all, or went wrong: each says what to do.
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Problem, type ProblemDetail } from '../api/problem.ts'
import { useMessages } from '../language/language.tsx'
import { Tell, said } from '../service-texts/said.tsx'
import de from './messages.de.json'
import en from './messages.en.json'
import './states.css'

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

export interface ProblemNoticeProps {
  readonly problem: Error
  readonly onRetry?: () => void
  /** In place of the service's sentence, where the page knows better what to do. */
  readonly sentence?: string | undefined
}

/** The sentences of the service, as they came; a fault of the console's own is told by its message. */
export function ProblemNotice({ problem, onRetry, sentence }: ProblemNoticeProps) {
  const say = useMessages({ en, de })
  const { status, details, requestId } =
    problem instanceof Problem ? problem : { status: -1, details: [], requestId: null }
  return (
    <div className="problem" role="alert">
      <p className="problem-title">
        {sentence ?? (status === 0 ? say('unreachable') : <Tell text={said(problem.message)} />)}
      </p>
      {details.length > 0 && !(sentence === undefined && saysAll(problem.message, details)) && (
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
      {onRetry && (
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

const Detail = ({ path, message, suggestions }: ProblemDetail) => (
  <li>
    {path !== '' && <code>{path}</code>} <Tell text={said(message)} />
    {suggestions && suggestions.length > 0 && <> ({suggestions.join(', ')})</>}
  </li>
)

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
