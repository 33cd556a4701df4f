// Who published a figure, in a line.
import { useMessages } from '../i18n/language.tsx'
import type { Source } from './explanation.ts'
import de from './messages.de.json'
import en from './messages.en.json'
import './source-line.css'

/** A link only where it is one: a source is data, and data may say anything. */
const isLink = (url: string): boolean => /^https?:\/\//.test(url)

/** What sources are called is told as they were published: in English. */
const TITLES = 'en'

export function SourceLine({ title, publisher, year, url, licence }: Source) {
  const t = useMessages({ en, de })
  return (
    <p className="source">
      {isLink(url) ? (
        <a href={url} target="_blank" rel="noreferrer" lang={TITLES}>
          {title}
        </a>
      ) : (
        <span lang={TITLES}>{title}</span>
      )}
      <span className="muted">
        {' '}
        {publisher}, {year ?? t('noYear')} · {licence}
      </span>
    </p>
  )
}

/** The same for a cell of a table: who and when, and the title where it is pointed at. */
export function SourceCell({ title, publisher, year, url }: Source) {
  const t = useMessages({ en, de })
  const shown = `${publisher}, ${year ?? t('noYear')}`
  if (!isLink(url))
    return (
      <span className="source-cell" title={title}>
        {shown}
      </span>
    )
  return (
    <a className="source-cell" href={url} target="_blank" rel="noreferrer" title={title}>
      {shown}
    </a>
  )
}
