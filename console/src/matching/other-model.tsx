// Any model of the catalogue, searched by words; and all candidates for a product, as the matcher judges it now.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useValueNames } from '../api-values/api-values.ts'
import { api, read } from '../api/client.ts'
import { TextFilter } from '../components/filter-bar.tsx'
import { Loaded } from '../components/loading-and-error.tsx'
import { useMessages } from '../i18n/language.tsx'
import { Tell } from '../i18n/service-text.tsx'
import { Candidate, shownOf } from './candidates.tsx'
import de from './messages.de.json'
import en from './messages.en.json'
import { readMatch, type DecideProps } from './products.ts'

const MODELS_MAX = 6

export function OtherModel(deciding: DecideProps) {
  const t = useMessages({ en, de })
  const { product } = deciding
  const [words, setWords] = useState('')
  return (
    <div className="stack matching-other">
      <TextFilter label={t('searchModel')} value={words} placeholder={t('searchExample')} onChange={setWords} />
      {words.trim() === '' ? <Judged {...deciding} /> : <Found {...deciding} product={product} words={words.trim()} />}
    </div>
  )
}

function Judged(deciding: DecideProps) {
  const t = useMessages({ en, de })
  const valueName = useValueNames()
  const { product } = deciding
  const shown = shownOf(product)
  const match = useQuery({
    queryKey: ['match', product.product_id, product.product_name],
    queryFn: ({ signal }) => readMatch(product, signal),
  })
  return (
    <Loaded query={match}>
      {({ resolved_to: name, match_method: found, note, note_message: noteMessage, candidates }) => (
        <>
          <p>
            {t('withoutMapping', { name, found: valueName({ list: 'method', value: found }) })}{' '}
            {note !== undefined && <Tell text={{ message: note, ...noteMessage }} />}
          </p>
          {candidates.length > shown.length && (
            <ul className="bare matching-candidates">
              {candidates.slice(shown.length).map((candidate) => (
                <Candidate key={candidate.model_id} {...deciding} candidate={candidate} isBest={false} />
              ))}
            </ul>
          )}
        </>
      )}
    </Loaded>
  )
}

function Found({ product, words, mayDecide, onDecide }: DecideProps & { readonly words: string }) {
  const t = useMessages({ en, de })
  const models = useQuery({
    queryKey: ['models by words', words],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      read(api.GET('/api/device-model-emissions', { params: { query: { q: words, limit: MODELS_MAX } }, signal })),
  })
  return (
    <Loaded query={models}>
      {(found) =>
        found.length === 0 ? (
          <p className="muted">{t('noModel')}</p>
        ) : (
          <ul className="bare matching-candidates">
            {found.map(({ id, brand, name }) => (
              <li key={id}>
                <strong>{`${brand} ${name}`}</strong>
                <button
                  className="button"
                  disabled={!mayDecide}
                  aria-label={t('mapIdTo', { id: product.product_id, name: `${brand} ${name}` })}
                  onClick={() => onDecide({ model_id: id }, `${brand} ${name}`)}
                >
                  {t('map')}
                </button>
              </li>
            ))}
          </ul>
        )
      }
    </Loaded>
  )
}
