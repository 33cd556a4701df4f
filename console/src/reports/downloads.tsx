// The same as files.
import { useMessages } from '../i18n/language.tsx'
import de from './messages.de.json'
import en from './messages.en.json'

const FORMATS = ['csv', 'xlsx', 'json'] as const

export interface DownloadsProps {
  /** What is downloaded, for who hears the links one by one. */
  readonly title: string
  readonly hrefOf: (format: (typeof FORMATS)[number]) => string
}

export function Downloads({ title, hrefOf }: DownloadsProps) {
  const t = useMessages({ en, de })
  return (
    <ul className="bare row" aria-label={t('downloads', { title })}>
      {FORMATS.map((format) => (
        <li key={format}>
          <a className="button" href={hrefOf(format)} download={`cradle-${title}.${format}`.toLowerCase()}>
            <span className="hidden-visually">{title}: </span>
            {format.toUpperCase()}
          </a>
        </li>
      ))}
    </ul>
  )
}
