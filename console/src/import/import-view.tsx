// One import: its progress, the settings of its file, its errors, and the next step.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { api, read } from '../api/client.ts'
import { SESSION_KEY } from '../api/query-client.ts'
import { QuestionDialog } from '../components/question-dialog.tsx'
import { Loaded, ProblemNotice } from '../components/loading-and-error.tsx'
import { useToast } from '../components/toast.tsx'
import { useMessages } from '../i18n/language.tsx'
import { RestateButton } from '../restatements/restate-button.tsx'
import { useSession } from '../session/session.tsx'
import { Counts } from './counts.tsx'
import { StateTag } from './earlier-imports.tsx'
import { ImportErrors } from './errors.tsx'
import { ImportWarnings } from './warnings.tsx'
import de from './messages.de.json'
import en from './messages.en.json'
import { ReadingForm } from './settings-form.tsx'
import type { Sender } from './upload.ts'
import { ProfileOffers, RegisterFields, SaveProfile } from './stated.tsx'
import {
  WORD_COLUMNS,
  readingOf,
  impliedColumns,
  type ImportState,
  type RequestedSettings,
  type WordColumn,
} from './settings.ts'
import { ValueFields } from './values.tsx'

const REFETCH_MS = 400
const RUNNING = ['queued', 'running', 'reversing']
const isRunning = (one: ImportState | undefined): boolean => one !== undefined && RUNNING.includes(one.state)

export interface ImportViewProps {
  readonly id: number
  readonly sender: Sender
}

export function ImportView({ id, sender }: ImportViewProps) {
  const t = useMessages({ en, de })
  const query = useQuery({
    queryKey: ['import', id],
    queryFn: ({ signal }) =>
      read(api.GET('/api/imports/{import_id}', { params: { path: { import_id: String(id) } }, signal })),
    refetchInterval: ({ state }) => (isRunning(state.data) ? REFETCH_MS : false),
    staleTime: 0,
  })
  useInvalidation(query.data)
  const heading = useRef<HTMLHeadingElement>(null)
  return (
    <Loaded query={query}>
      {(one) => (
        <>
          <section className="card stack" aria-label={t('progress')}>
            <div className="row row-apart">
              <h2 ref={heading} tabIndex={-1}>
                {one.file_name ?? t('unnamed', { id: String(id) })}
              </h2>
              <span role="status">
                <StateTag {...one} />
              </span>
            </div>
            <Counts one={one} isRunning={isRunning(one)} />
            <NextStep one={one} sender={sender} onReversal={() => heading.current?.focus()} />
          </section>
          <FileSettings key={one.import_id} one={one} sender={sender} />
          {one.number_of_warnings > 0 && <ImportWarnings one={one} />}
          {one.rows_rejected > 0 && <ImportErrors key={`errors of ${one.import_id}`} one={one} sender={sender} />}
        </>
      )}
    </Loaded>
  )
}

/** Orders that were stored or reversed change all other figures, so everything is fetched again when it is shown. */
function useInvalidation(one: ImportState | undefined): void {
  const client = useQueryClient()
  const hasChanged = one !== undefined && !one.is_dry_run && !isRunning(one)
  useEffect(() => {
    if (hasChanged) void client.invalidateQueries({ predicate: isNoSession, refetchType: 'none' })
  }, [hasChanged])
}

const isNoSession = ({ queryKey }: { readonly queryKey: readonly unknown[] }) => queryKey[0] !== SESSION_KEY[0]

interface PartProps {
  readonly one: ImportState
  readonly sender: Sender
}

/** True if the page still has the file of this import. */
const hasFile = (one: ImportState, { importId, last }: Sender): boolean => importId === one.import_id && last !== null

interface NextStepProps extends PartProps {
  /** Called when the reversal begins, because its button goes away. */
  readonly onReversal: () => void
}

function NextStep({ one, sender, onReversal }: NextStepProps) {
  const t = useMessages({ en, de })
  const { may } = useSession()
  const { last, send } = sender
  if (!may('orders:write') || (one.is_dry_run && one.state !== 'succeeded')) return null
  if (!one.is_dry_run)
    return one.state === 'reversed' || one.state === 'reversing' ? null : (
      <div className="row">
        {one.state === 'succeeded' && one.kind === 'orders' && one.orders_stored > 0 && <Restate one={one} />}
        <Reversal one={one} onReversal={onReversal} />
      </div>
    )
  if (!last || !hasFile(one, sender)) return <p className="muted">{t('chooseAgain')}</p>
  const count = one.orders_stored
  return (
    <div className="row">
      {count > 0 ? (
        <button className="button button-primary" onClick={() => send({ ...last, isDryRun: false })}>
          {t('importOrders', { count })}
        </button>
      ) : (
        <p className="muted">{t(one.orders_replayed > 0 ? 'nothingNew' : 'nothingToImport')}</p>
      )}
      {one.orders_rejected > 0 && count > 0 && <p className="muted">{t('rejectedStayOut')}</p>}
    </div>
  )
}

/** Its orders keep what they were matched to, while mappings may have been added since. */
function Restate({ one: { import_id: id, file_name: name } }: Pick<NextStepProps, 'one'>) {
  const t = useMessages({ en, de })
  return (
    <RestateButton
      label={t('restate')}
      params={{
        scope: { import_id: id },
        figures: { mappings: 'current' },
        reason: t('restateReason', { name: (name ?? '').slice(0, FILE_NAME_SHOWN_MAX) }).trim(),
      }}
    />
  )
}

/** A reason has at most 200 characters. */
const FILE_NAME_SHOWN_MAX = 120

/** The user has to confirm it: other people may already use what was imported. */
function Reversal({ one, onReversal }: Pick<NextStepProps, 'one' | 'onReversal'>) {
  const t = useMessages({ en, de })
  const toast = useToast()
  const client = useQueryClient()
  const [isConfirming, setConfirming] = useState(false)
  const isOfEvents = one.kind === 'events'
  const reversal = useMutation({
    mutationFn: () =>
      read(api.DELETE('/api/imports/{import_id}', { params: { path: { import_id: String(one.import_id) } } })),
    onSuccess: (reversing) => {
      setConfirming(false)
      client.setQueryData(['import', one.import_id], reversing)
      void client.invalidateQueries({ queryKey: ['import', one.import_id] })
      toast(t('reversalBegan'))
      onReversal()
    },
  })
  return (
    <>
      <button className="button button-danger" onClick={() => setConfirming(true)}>
        {t('reverse')}
      </button>
      <QuestionDialog
        title={t('reverseTitle')}
        answer={t('reverseNow')}
        isDisabled={reversal.isPending}
        isOpen={isConfirming}
        onAnswer={() => reversal.mutate()}
        onClose={() => setConfirming(false)}
      >
        <p>{t(isOfEvents ? 'reverseQuestionOfEvents' : 'reverseQuestion', { count: one.orders_stored })}</p>
        <p className="muted">{t(isOfEvents ? 'reverseMeansOfEvents' : 'reverseMeans')}</p>
        {reversal.error && <ProblemNotice problem={reversal.error} />}
      </QuestionDialog>
    </>
  )
}

/** True if a column of the file states these values, or is to. */
const hasColumn = ({ columns }: ImportState, asked: RequestedSettings, column: WordColumn): boolean =>
  [...columns.map(({ member }) => member), ...Object.values(asked.columns)].includes(column)

function FileSettings({ one, sender }: PartProps) {
  const t = useMessages({ en, de })
  const { may } = useSession()
  const { last, send } = sender
  const isOpen = one.is_dry_run && hasFile(one, sender)
  const [asked, setAsked] = useState(last?.asked ?? { columns: {} })
  const implied = impliedColumns(one)
  const isChanged = isOpen && JSON.stringify(asked) !== JSON.stringify(last?.asked)
  return (
    <section className="card stack" aria-label={t('howRead')}>
      <div>
        <h2>{t('howRead')}</h2>
        <p className="muted">{t(isOpen ? 'howReadChange' : 'howReadShown')}</p>
      </div>
      <ReadingForm reading={readingOf(one)} asked={isOpen ? asked : { columns: {} }} onAsk={isOpen ? setAsked : null} />
      {isOpen && last && (
        <ProfileOffers
          names={one.suggested_profiles}
          onUse={(profile) => send({ ...last, isDryRun: true, asked: { columns: {}, profile } })}
        />
      )}
      {isOpen && asked.register && <RegisterFields asked={asked} onAsk={setAsked} />}
      {isOpen &&
        WORD_COLUMNS.filter((column) => hasColumn(one, asked, column)).map((column) => (
          <ValueFields key={column} column={column} asked={asked} onAsk={setAsked} one={one} />
        ))}
      {implied.length > 0 && (
        <p className="muted">
          {t('implied')} {implied.map((column) => t('impliedBy', { ...column })).join('; ')}
        </p>
      )}
      {isOpen && last && (
        <div className="row">
          <button
            className={isChanged ? 'button button-primary' : 'button'}
            disabled={!isChanged}
            onClick={() => send({ ...last, isDryRun: true, asked })}
          >
            {t('checkAgain')}
          </button>
        </div>
      )}
      {may('orders:write') && one.state === 'succeeded' && one.columns.length > 0 && (
        <SaveProfile importId={one.import_id} used={one.profile} />
      )}
    </section>
  )
}
