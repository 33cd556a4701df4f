// The page for importing files of orders: a file is tried first, then imported; earlier imports are listed below.
import { useState } from 'react'
import { Link, useRoute } from 'wouter'
import { Problem } from '../api/problem.ts'
import { ProblemNotice } from '../components/loading-and-error.tsx'
import { Page } from '../layout/page.tsx'
import { useMessages } from '../i18n/language.tsx'
import { useSession } from '../session/session.tsx'
import { DropZone } from './drop-zone.tsx'
import { EarlierImports } from './earlier-imports.tsx'
import { ImportView } from './import-view.tsx'
import de from './messages.de.json'
import en from './messages.en.json'
import { ProgressBar } from '../components/progress-bar.tsx'
import { ReadingForm } from './settings-form.tsx'
import type { Sending } from './send-file.ts'
import { useSender, type Sender } from './upload.ts'
import {
  NOTHING_ASKED,
  isOfRegister,
  profilesFor,
  unclearIn,
  wordsOf,
  type RequestedSettings,
  type WordColumn,
} from './settings.ts'
import { ProfileOffers, RegisterFields } from './stated.tsx'
import { ValueFields } from './values.tsx'
import './import.css'

/** Details that the page shows as buttons and fields of their own. */
const STATED_ELSEWHERE: ReadonlySet<string> = new Set(['profile_offered', 'register_offered', 'register_lacks'])

export function Import() {
  const t = useMessages({ en, de })
  const [isOne, parameters] = useRoute('/import/:id')
  const sender = useSender()
  return (
    <Page
      title={t('title')}
      lead={t('lead')}
      actions={
        isOne && (
          <Link className="button" href="/import">
            {t('toImports')}
          </Link>
        )
      }
    >
      <div className="stack">
        {sender.isSending ? (
          <Sent sender={sender} />
        ) : isOne ? (
          <ImportView id={Number(parameters.id)} sender={sender} />
        ) : (
          <>
            <NewImport sender={sender} />
            <EarlierImports />
          </>
        )}
      </div>
    </Page>
  )
}

function Sent({ sender: { last, share } }: { readonly sender: Sender }) {
  const t = useMessages({ en, de })
  const label = share < 1 ? t('sending', { name: last?.file.name ?? '' }) : t('looking')
  return (
    <section className="card" aria-label={t('sendingFile')}>
      <ProgressBar label={label} share={share} />
    </section>
  )
}

function NewImport({ sender }: { readonly sender: Sender }) {
  const t = useMessages({ en, de })
  const { may } = useSession()
  const { last, problem, send, choose } = sender
  // A rejected file is sent again in the same way.
  const [isDryRun, setDryRun] = useState(last && problem ? last.isDryRun : true)
  if (!may('orders:write')) return <p className="muted">{t('mayNot')}</p>
  const take = (file: File) => {
    const sending = { file, isDryRun, asked: NOTHING_ASKED }
    if (isDryRun) send(sending)
    else choose(sending)
  }
  return (
    <section className="card import-new" aria-label={t('newImport')}>
      <h2>{t('newImport')}</h2>
      <label className="check">
        <input type="checkbox" checked={isDryRun} onChange={({ target }) => setDryRun(target.checked)} />
        {t('dryRunFirst')}
      </label>
      <p className="field-hint">{t(isDryRun ? 'dryRunHint' : 'noDryRunHint')}</p>
      <DropZone onFile={take} />
      <Templates />
      {last && !problem && !isDryRun && (
        <div className="row">
          <span>{last.file.name}</span>
          <button className="button button-primary" onClick={() => send({ ...last, isDryRun: false })}>
            {t('importNow')}
          </button>
        </div>
      )}
      {last && problem && <Rejected last={last} problem={problem} sender={sender} />}
    </section>
  )
}

function Templates() {
  const t = useMessages({ en, de })
  return (
    <p className="muted">
      {t('templates')}{' '}
      <a href="/api/import-templates/items" download>
        {t('templateItems')}
      </a>
      {' · '}
      <a href="/api/import-templates/orders" download>
        {t('templateOrders')}
      </a>
    </p>
  )
}

interface RejectedProps {
  readonly last: Sending
  readonly problem: Error
  readonly sender: Sender
}

/** Asks for the settings that could not be detected; nothing of the file was stored. */
function Rejected({ last, problem, sender: { send } }: RejectedProps) {
  const t = useMessages({ en, de })
  const [asked, setAsked] = useState(last.asked)
  const reading = problem instanceof Problem ? unclearIn(problem) : { settings: [], columns: [] }
  const details = problem instanceof Problem ? problem.details : []
  const profiles = profilesFor({ details })
  const isRegister = isOfRegister({ details })
  const isAnswerable = isRegister || reading.settings.length + reading.columns.length > 0
  return (
    <>
      <ProblemNotice
        problem={withoutFields(problem)}
        sentence={
          isAnswerable || isOfFile(problem)
            ? t(isAnswerable ? 'unclear' : 'notRead', { name: last.file.name })
            : undefined
        }
      />
      <ProfileOffers names={profiles} onUse={(profile) => send({ ...last, asked: { columns: {}, profile } })} />
      {(isRegister || asked.register) && <RegisterFields asked={asked} onAsk={setAsked} />}
      {(isRegister || hasWords(asked, 'device_type')) && (
        <ValueFields column="device_type" asked={asked} onAsk={setAsked} one={null} />
      )}
      {hasWords(asked, 'transportation_id') && (
        <ValueFields column="transportation_id" asked={asked} onAsk={setAsked} one={null} />
      )}
      <ReadingForm reading={reading} asked={asked} onAsk={setAsked} />
      {(isAnswerable || !isOfFile(problem)) && (
        <div className="row">
          <button className="button button-primary" onClick={() => send({ ...last, asked })}>
            {t(isAnswerable ? 'tryWithThese' : 'tryAgain')}
          </button>
        </div>
      )}
    </>
  )
}

const hasWords = (asked: RequestedSettings, column: WordColumn): boolean =>
  Object.keys(wordsOf(asked, column)).length > 0

/** The file itself was rejected; sent again unchanged, it would be rejected again. */
const isOfFile = (problem: Error): boolean => problem instanceof Problem && problem.status === 400

/** Without the errors that have a field of their own below. */
function withoutFields(problem: Error): Error {
  if (!(problem instanceof Problem)) return problem
  const { status, code, why, requestId } = problem
  const headers = unclearIn(problem).columns.map(({ header }) => header)
  const details = problem.details.filter((detail) => {
    const { settings, columns } = unclearIn({ details: [detail] })
    // The field of the likely column asks for a missing one.
    const isAsked =
      detail.code === 'column_not_in_file_likely' && headers.some((name) => name === detail.params?.['likely'])
    const isStated = STATED_ELSEWHERE.has(detail.code ?? '')
    return settings.length + columns.length === 0 && !isAsked && !isStated
  })
  return new Problem(status, code, why, details, requestId)
}
