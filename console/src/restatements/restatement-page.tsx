// One restatement: its state and what to do next, what it moves and why, and the orders and years that it changes.
import { Link } from 'wouter'
import { Problem } from '../api/problem.ts'
import { Empty, Loaded } from '../components/loading-and-error.tsx'
import { ProgressBar } from '../components/progress-bar.tsx'
import { useFormat } from '../i18n/format.ts'
import { useMessages } from '../i18n/language.tsx'
import { Page } from '../layout/page.tsx'
import { Actions } from './actions.tsx'
import { Changes } from './changes.tsx'
import { StateTag, useDescription } from './described.tsx'
import de from './messages.de.json'
import en from './messages.en.json'
import { PreviewView } from './preview-view.tsx'
import { isRunning, pathOfRestatement, useRestatement, type Restatement } from './use-restatements.ts'

export function RestatementPage({ id }: { readonly id: string }) {
  const t = useMessages({ en, de })
  const query = useRestatement(id)
  const isUnknown = query.error instanceof Problem && query.error.status === 404
  return (
    <Page
      title={t('restatement', { id })}
      actions={
        <Link href="/restatements" className="button">
          {t('allRestatements')}
        </Link>
      }
    >
      {isUnknown ? (
        <Empty title={t('unknown')}>
          <p>{t('unknownHelp')}</p>
        </Empty>
      ) : (
        <Loaded query={query}>{(one) => <Shown one={one} />}</Loaded>
      )}
    </Page>
  )
}

/** A preview that cannot be applied any more is no longer what would be posted. */
function Shown({ one }: { readonly one: Restatement }) {
  const t = useMessages({ en, de })
  const { preview, state } = one
  const id = String(one.restatement_id)
  return (
    <>
      <StateCard one={one} />
      {preview && (state === 'outdated' || state === 'failed') && (
        <p className="note note-warning">{t('oldPreview')}</p>
      )}
      {preview && preview.number_of_orders === 0 && (
        <Empty title={t('nothingMoves')}>
          <p>{t('nothingMovesHelp')}</p>
        </Empty>
      )}
      {preview && preview.number_of_orders > 0 && <PreviewView preview={preview} state={state} />}
      {preview && preview.number_of_orders + preview.number_of_problems + one.orders_refused > 0 && (
        <Changes id={id} preview={preview} refused={one.orders_refused} />
      )}
    </>
  )
}

function StateCard({ one }: { readonly one: Restatement }) {
  const t = useMessages({ en, de })
  const { time } = useFormat()
  const describe = useDescription()
  const { state, reason, key, created_at: created, finished_at: finished } = one
  const { orders, figures } = describe(one)
  const { before_restatement: undone } = one.figures
  const facts = [
    ['scope', orders],
    ['figures', undone === undefined ? figures : <Link href={pathOfRestatement(undone)}>{figures}</Link>],
    ['requested', `${time(created)} · ${key}`],
    ...(finished === null ? [] : [[state === 'applied' ? 'appliedAt' : 'calculatedAt', time(finished)] as const]),
  ] as const
  return (
    <section className="card section" aria-labelledby="restatement-state">
      <div className="row row-apart">
        <h2 id="restatement-state" className="restatement-reason" tabIndex={-1}>
          {reason}
        </h2>
        <span role="status">
          <StateTag state={state} />
        </span>
      </div>
      {!(state === 'previewed' && one.preview?.number_of_orders === 0) && <p>{t(`means-${state}`)}</p>}
      {isRunning(state) && <Progress {...one} />}
      <Interruption {...one} />
      {one.orders_refused > 0 && <p className="note note-warning">{t('refusedNote')}</p>}
      <dl className="facts restatement-facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{t(name)}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <Actions one={one} />
    </section>
  )
}

const ERRORS = ['error-storage_full', 'error-read_only', 'error-internal'] as const

/** A failure after which it went on is told while it goes on; one that ended it, for as long as it is kept. */
function Interruption({ state, interruptions: count, last_error: error }: Restatement) {
  const t = useMessages({ en, de })
  const { time } = useFormat()
  if (error === null || !(isRunning(state) || state === 'failed')) return null
  return (
    <p className="note note-warning" role="alert">
      {t(ERRORS.find((name) => name === `error-${error.code}`) ?? 'error-unavailable')}{' '}
      {t(isRunning(state) ? 'triedAgain' : 'interrupted', { count, at: time(error.at) })}
    </p>
  )
}

function Progress({ state, orders_done: done, orders_total: total }: Restatement) {
  const t = useMessages({ en, de })
  const label = total === 0 ? t('counting') : t(state === 'applying' ? 'posted' : 'calculated', { done, total })
  return <ProgressBar label={label} share={total === 0 ? 0 : Math.min(1, done / total)} />
}
