// The models that a product's words may mean: how much of them agrees, why, and a button that says so.
import { Fragment } from 'react'
import { Figure } from '../components/figure.tsx'
import { useMessages } from '../i18n/language.tsx'
import { Tell } from '../i18n/service-text.tsx'
import { explainCandidate, reasonsOf } from './explain-product.ts'
import de from './messages.de.json'
import en from './messages.en.json'
import type { DecideProps, Product } from './products.ts'

/** Below it a name has more against it than for it. */
const LIKELY = 0.6

/** Those that are likely, or the best of those that are not: the others stand where another model is looked for. */
export function shownOf({ candidates }: Product): Product['candidates'] {
  const likely = candidates.filter(({ score }) => score >= LIKELY)
  return likely.length > 0 ? likely : candidates.slice(0, 1)
}

export function Candidates(deciding: DecideProps) {
  const t = useMessages({ en, de })
  const candidates = shownOf(deciding.product)
  if (candidates.length === 0) return <p className="muted">{t('noCandidates')}</p>
  return (
    <ul className="bare matching-candidates" aria-label={t('candidatesOf', { id: deciding.product.product_id })}>
      {candidates.map((candidate, at) => (
        <Candidate
          key={candidate.model_id}
          {...deciding}
          candidate={candidate}
          isBest={at === 0 && candidate.score >= LIKELY}
        />
      ))}
    </ul>
  )
}

interface CandidateProps extends DecideProps {
  readonly candidate: Product['candidates'][number]
  readonly isBest: boolean
}

export function Candidate({ product, candidate, isBest, mayDecide, onDecide }: CandidateProps) {
  const t = useMessages({ en, de })
  const { model_id: id, name, score } = candidate
  return (
    <li>
      <div>
        <strong>{name}</strong> <Score {...{ product, candidate }} />
        <div className="matching-score" aria-hidden>
          <span style={{ width: `${Math.round(score * 100)}%` }} />
        </div>
        <p className="muted">
          {reasonsOf(candidate).map((reason, at) => (
            <Fragment key={at}>
              {at > 0 && ' · '}
              <Tell text={reason} />
            </Fragment>
          ))}
        </p>
      </div>
      <button
        className={isBest ? 'button button-primary' : 'button'}
        disabled={!mayDecide}
        aria-label={t('mapIdTo', { id: product.product_id, name })}
        onClick={() => onDecide({ model_id: id }, name)}
      >
        {t('map')}
      </button>
    </li>
  )
}

function Score({ product, candidate }: Pick<CandidateProps, 'product' | 'candidate'>) {
  const t = useMessages({ en, de })
  return (
    <span className="muted">
      {t('score')}{' '}
      <Figure value={candidate.score} unit={t('ofOne')} why={() => explainCandidate(product, candidate, t)} />
    </span>
  )
}
