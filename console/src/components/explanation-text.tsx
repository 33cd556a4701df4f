// An explanation to read: the formula, what went into it and from where, and how sure the result is.
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { Link } from 'wouter'
import { countedUnit } from '../i18n/plural-units.ts'
import { useFormat } from '../i18n/format.ts'
import { useLanguage, useMessages } from '../i18n/language.tsx'
import { Tell, type ServiceText } from '../i18n/service-text.tsx'
import { useValueNames, type ListedValue } from '../api-values/api-values.ts'
import { localFormula } from './formula.ts'
import { CodeToCopy } from './copyable-code.tsx'
import type { Explanation, Input, Why } from './explanation.ts'
import de from './messages.de.json'
import en from './messages.en.json'
import { SourceLine } from './source-line.tsx'
import { Loaded } from './loading-and-error.tsx'
import './explanation.css'

/** Asked for anew for each figure, and not kept: what is kept is what the page itself has read. */
export function ExplanationView({ why }: { readonly why: Why }) {
  const id = useMemo(() => ({ why, key: crypto.randomUUID() }), [why])
  const query = useQuery({ queryKey: ['why', id.key], queryFn: async () => id.why(), gcTime: 0 })
  return <Loaded query={query}>{(explanation) => <Shown {...explanation} />}</Loaded>
}

function Shown(explanation: Explanation) {
  const t = useMessages({ en, de })
  const { full } = useFormat()
  const { language } = useLanguage()
  const { title, value, unit, formula, notes, source, type, methodology, release } = explanation
  return (
    <div className="explanation">
      <h3>
        <Tell text={title} />
      </h3>
      <p className="explanation-value">
        {full(value)}{' '}
        <span className="muted">
          <Unit of={value} unit={unit} />
        </span>
      </p>
      {type && <p>{t(type)}</p>}
      {formula && (
        <>
          <h4>{t('formula')}</h4>
          <p className="explanation-formula">{localFormula(formula, language)}</p>
        </>
      )}
      <Inputs {...explanation} />
      <Factors {...explanation} />
      <Sureness {...explanation} />
      {notes && notes.length > 0 && (
        <>
          <h4>{t('notes')}</h4>
          <ul>
            {notes.map((note, at) => (
              <li key={at}>
                <Tell text={note} />
              </li>
            ))}
          </ul>
        </>
      )}
      {source && (
        <>
          <h4>{t('source')}</h4>
          <SourceLine {...source} />
        </>
      )}
      {methodology && (
        <p className="muted">
          {t('method')} <code>{methodology}</code>
        </p>
      )}
      {release && <p className="muted">{t('release', { release })}</p>}
      <Behind {...explanation} />
    </div>
  )
}

/** A text of the page or the service, or a value of one of the API's lists. */
function Text({ text }: { readonly text: ServiceText | ListedValue }) {
  const valueName = useValueNames()
  return typeof text === 'object' && 'list' in text ? valueName(text) : <Tell text={text} />
}

function Unit({ of, unit }: { readonly of: number; readonly unit: Input['unit'] }) {
  const { language } = useLanguage()
  const valueName = useValueNames()
  return countedUnit(of, typeof unit === 'string' ? unit : valueName(unit), language)
}

function Behind({ links = [], call }: Explanation) {
  const t = useMessages({ en, de })
  return (
    <>
      {links.length > 0 && (
        <>
          <h4>{t('related')}</h4>
          <ul>
            {links.map(({ path, label }) => (
              <li key={path}>
                <Link href={path}>{label}</Link>
              </li>
            ))}
          </ul>
        </>
      )}
      {call && (
        <>
          <h4>{t('call')}</h4>
          <CodeToCopy code={`curl -s "${location.origin}${call}" -H "X-API-Key: $KEY"`} />
        </>
      )}
    </>
  )
}

function Inputs({ inputs = [] }: Explanation) {
  const t = useMessages({ en, de })
  const { full } = useFormat()
  if (inputs.length === 0) return null
  return (
    <>
      <h4>{t('inputs')}</h4>
      <dl>
        {inputs.map(({ symbol, name, value, unit, from }, at) => (
          <div key={at}>
            <dt>
              {symbol !== '' && <code>{symbol}</code>} <Text text={name} />
            </dt>
            <dd>
              {full(value)} <Unit of={value} unit={unit} />
              {from !== '' && (
                <span className="muted">
                  {' '}
                  · <Text text={from} />
                </span>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </>
  )
}

function Factors({ factors = [] }: Explanation) {
  const t = useMessages({ en, de })
  const { full } = useFormat()
  if (factors.length === 0) return null
  return (
    <>
      <h4>{t('factors')}</h4>
      <dl>
        {factors.map(({ symbol, id, value, unit, source, dataset_release: release }) => (
          <div key={`${symbol} ${id}`}>
            <dt>
              <code>{symbol}</code> {id}
            </dt>
            <dd>
              {full(value)} <Text text={unit} />
              <SourceLine {...source} />
              {release && <span className="muted">{t('release', { release })}</span>}
            </dd>
          </div>
        ))}
      </dl>
    </>
  )
}

function Sureness({ uncertainty, unit }: Explanation) {
  const t = useMessages({ en, de })
  const { short, percent } = useFormat()
  if (!uncertainty) return null
  const { low, high, level, from = [] } = uncertainty
  return (
    <>
      <h4>{t('uncertainty')}</h4>
      <p>{t('interval', { low: short(low), high: short(high), unit, percent: percent(level) })}</p>
      {from.length > 0 && (
        <>
          <p className="muted">{t('errorSources')}:</p>
          <ul>
            {from.map(({ name, name_message: reference }) => (
              <li key={name}>
                <Tell text={{ message: name, ...reference }} />
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  )
}
