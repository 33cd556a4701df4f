// Shown in place of data that is loading, that is empty, or that could not be loaded, with what to do.
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
  const t = useMessages({ en, de })
  return (
    <p className="loading" role="status">
      {t('loading')}
    </p>
  )
}

export interface EmptyProps {
  readonly title: string
  /** What would fill the list, or which filter hides its rows. */
  readonly children?: ReactNode
}

export const Empty = ({ title, children }: EmptyProps) => (
  <div className="empty">
    <p className="empty-title">{title}</p>
    {children}
  </div>
)

/** Invalid requests, and those for which the key lacks a scope, are rejected again. */
const NOT_RETRIED = [400, 403]

export interface ProblemNoticeProps {
  readonly problem: Error
  readonly onRetry?: () => void
  /** Replaces the service's sentence if the page can say better what to do. */
  readonly sentence?: string | undefined
}

/** An error of the service in its sentences; an error of the console itself by its message. */
export function ProblemNotice({ problem, onRetry, sentence }: ProblemNoticeProps) {
  const t = useMessages({ en, de })
  const { status, code, details, requestId } =
    problem instanceof Problem ? problem : { status: -1, code: '', details: [], requestId: null }
  // Wrong parameters are called by the names that they have on the page, not by those of the API.
  const isOfParameters = details.length > 0 && details.every(({ path }) => path.startsWith('?'))
  const own =
    status === 0 ? 'unreachable' : code === TOO_MANY_GROUPS ? 'tooManyGroups' : isOfParameters ? 'askedWrongly' : null
  return (
    <div className="problem" role="alert">
      <p className="problem-title">{sentence ?? (own === null ? <Tell text={whyOf(problem)} /> : t(own))}</p>
      {details.length > 0 && !(sentence === undefined && own === null && includesDetail(problem.message, details)) && (
        <ul>
          {details.map((detail, at) => (
            <Detail key={at} {...detail} />
          ))}
        </ul>
      )}
      {requestId !== null && (
        <p className="problem-request">
          {t('request')} <code>{requestId}</code>
        </p>
      )}
      {onRetry && !NOT_RETRIED.includes(status) && (
        <button className="button" onClick={onRetry}>
          {t('retry')}
        </button>
      )}
    </div>
  )
}

/** The service's sentence ends with its only detail, which is then not repeated. */
const includesDetail = (sentence: string, [only, ...others]: readonly ProblemDetail[]): boolean =>
  only !== undefined &&
  others.length === 0 &&
  !only.suggestions?.length &&
  sentence.toLowerCase().endsWith(only.message.toLowerCase())

function Detail(detail: ProblemDetail) {
  const t = useMessages({ en, de })
  const { path, suggestions } = detail
  const name = lookupName(path)
  // The service's sentence has the names of its parameters.
  if (name === 'asked_to' && detail.code === 'before_from') return <li>{t('lastBeforeFirst')}</li>
  return (
    <li>
      {name !== null ? `${t(name)}:` : path !== '' && <code>{path.replace(/^\?/, '')}</code>} <Tell text={detail} />
      {suggestions && suggestions.length > 0 && <> ({suggestions.join(', ')})</>}
    </li>
  )
}

export interface LoadedProps<Data> {
  readonly query: UseQueryResult<Data>
  readonly children: (data: Data) => ReactNode
}

/** The data of a query, or its state. The previous page stays while the next one is loading. */
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
