// One import: how far it has come, how its file was read, what was refused of it, and the next step.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { api, read } from '../api/client.ts'
import { SESSION_KEY } from '../api/query-client.ts'
import { Panel } from '../components/panel.tsx'
import { Loaded, ProblemNotice } from '../components/loading-and-error.tsx'
import { useToast } from '../components/toast.tsx'
import { useFormat } from '../i18n/format.ts'
import { useMessages } from '../i18n/language.tsx'
import { useSession } from '../session/session.tsx'
import { Counts } from './counts.tsx'
import { StateTag } from './earlier-imports.tsx'
import { ImportErrors } from './errors.tsx'
import de from './messages.de.json'
import en from './messages.en.json'
import { ReadingForm } from './settings-form.tsx'
import type { Sender } from './upload.ts'
import { readingOf, statedByOthers, type ImportState } from './settings.ts'

const LOOK_AGAIN_MS = 400
const UNDER_WAY = ['queued', 'running', 'reversing']
const isUnderWay = (one: ImportState | undefined): boolean => one !== undefined && UNDER_WAY.includes(one.state)

export interface ImportViewProps {
  readonly id: number
  readonly sender: Sender
}

export function ImportView({ id, sender }: ImportViewProps) {
  const t = useMessages({ en, de })
  const found = useQuery({
    queryKey: ['import', id],
    queryFn: ({ signal }) =>
      read(api.GET('/api/imports/{import_id}', { params: { path: { import_id: String(id) } }, signal })),
    refetchInterval: ({ state }) => (isUnderWay(state.data) ? LOOK_AGAIN_MS : false),
    staleTime: 0,
  })
  useForgetting(found.data)
  const heading = useRef<HTMLHeadingElement>(null)
  return (
    <Loaded query={found}>
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
            <Counts one={one} isUnderWay={isUnderWay(one)} />
            <NextStep one={one} sender={sender} onUndoing={() => heading.current?.focus()} />
          </section>
          <HowItIsRead key={one.import_id} one={one} sender={sender} />
          {one.rows_rejected > 0 && <ImportErrors key={`errors of ${one.import_id}`} one={one} sender={sender} />}
        </>
      )}
    </Loaded>
  )
}

/** What was stored or undone is in every other figure: whatever was read before is read anew where it is shown. */
function useForgetting(one: ImportState | undefined): void {
  const client = useQueryClient()
  const hasChanged = one !== undefined && !one.is_dry_run && !isUnderWay(one)
  useEffect(() => {
    if (hasChanged) void client.invalidateQueries({ predicate: isNoSession, refetchType: 'none' })
  }, [hasChanged])
}

const isNoSession = ({ queryKey }: { readonly queryKey: readonly unknown[] }) => queryKey[0] !== SESSION_KEY[0]

interface PartProps {
  readonly one: ImportState
  readonly sender: Sender
}

/** Whether the file of this import is still at hand. */
const hasFile = (one: ImportState, { importId, last }: Sender): boolean => importId === one.import_id && last !== null

interface NextStepProps extends PartProps {
  /** Called where the undoing begins, as the button for it goes away. */
  readonly onUndoing: () => void
}

function NextStep({ one, sender, onUndoing }: NextStepProps) {
  const t = useMessages({ en, de })
  const { may } = useSession()
  const { last, send } = sender
  if (!may('orders:write') || (one.is_dry_run && one.state !== 'succeeded')) return null
  if (!one.is_dry_run)
    return one.state === 'reversed' || one.state === 'reversing' ? null : <Undo one={one} onUndoing={onUndoing} />
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
      {one.orders_rejected > 0 && count > 0 && <p className="muted">{t('refusedStayOut')}</p>}
    </div>
  )
}

/** Asked for first: other people may have gone by what was imported. */
function Undo({ one, onUndoing }: Pick<NextStepProps, 'one' | 'onUndoing'>) {
  const t = useMessages({ en, de })
  const toast = useToast()
  const client = useQueryClient()
  const [isAsked, setAsked] = useState(false)
  const undo = useMutation({
    mutationFn: () =>
      read(api.DELETE('/api/imports/{import_id}', { params: { path: { import_id: String(one.import_id) } } })),
    onSuccess: (undoing) => {
      setAsked(false)
      client.setQueryData(['import', one.import_id], undoing)
      void client.invalidateQueries({ queryKey: ['import', one.import_id] })
      toast(t('undoBegan'))
      onUndoing()
    },
  })
  return (
    <div className="row">
      <button className="button button-danger" onClick={() => setAsked(true)}>
        {t('undo')}
      </button>
      <Panel
        title={t('undoTitle')}
        place="middle"
        isOpen={isAsked}
        onClose={() => setAsked(false)}
        actions={
          <>
            <button className="button" onClick={() => setAsked(false)}>
              {t('keep')}
            </button>
            <button className="button button-danger" disabled={undo.isPending} onClick={() => undo.mutate()}>
              {t('undoNow')}
            </button>
          </>
        }
      >
        <p>{t('undoQuestion', { count: one.orders_stored })}</p>
        <p className="muted">{t('undoMeans')}</p>
        {undo.error && <ProblemNotice problem={undo.error} />}
      </Panel>
    </div>
  )
}

function HowItIsRead({ one, sender }: PartProps) {
  const t = useMessages({ en, de })
  const { last, send } = sender
  const isOpen = one.is_dry_run && hasFile(one, sender)
  const [asked, setAsked] = useState(last?.asked ?? { columns: {} })
  const told = statedByOthers(one, useFormat())
  const isChanged = isOpen && JSON.stringify(asked) !== JSON.stringify(last?.asked)
  return (
    <section className="card stack" aria-label={t('howRead')}>
      <div>
        <h2>{t('howRead')}</h2>
        <p className="muted">{t(isOpen ? 'howReadChange' : 'howReadShown')}</p>
      </div>
      <ReadingForm reading={readingOf(one)} asked={isOpen ? asked : { columns: {} }} onAsk={isOpen ? setAsked : null} />
      {told.length > 0 && (
        <p className="muted">
          {t('toldByOthers')} {told.join('; ')}
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
    </section>
  )
}
