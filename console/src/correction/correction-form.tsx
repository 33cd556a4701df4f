// The form that corrects an order: its content, then what that moves, then its recording.
import { useEffect, useRef, useState, type FormEvent } from 'react'
import { Problem } from '../api/problem.ts'
import { Loading, ProblemNotice } from '../components/loading-and-error.tsx'
import { useToast } from '../components/toast.tsx'
import { PreviewTables } from '../event-preview/preview-tables.tsx'
import { ReasonField } from '../event-preview/reason-field.tsx'
import { useMessages } from '../i18n/language.tsx'
import type { OrderKey } from '../orders/order-path.ts'
import { fieldErrorsOf, hasRepeatedName, toContent, toDraft, type Draft, type FieldErrors } from './draft.ts'
import { ItemList } from './item-list.tsx'
import type { ItemLists } from './item-fields.tsx'
import { LabelFields, OrderFields } from './order-fields.tsx'
import de from './messages.de.json'
import en from './messages.en.json'
import { useCorrection, type ReadContent } from './use-correction.ts'
import { CorrectionWarnings } from './warnings.tsx'

export interface CorrectionFormProps extends ItemLists {
  readonly orderKey: OrderKey
  readonly read: ReadContent
  readonly onClose: () => void
  /** Reads the order anew; what was filled in is lost. */
  readonly onReload: () => void
}

const NO_ERRORS: FieldErrors = { at: new Map(), others: [] }

export function CorrectionForm({ orderKey, read, onClose, onReload, ...lists }: CorrectionFormProps) {
  const t = useMessages({ en, de })
  const toast = useToast()
  const [draft, setDraft] = useState(() => toDraft(read.content))
  const [errors, setErrors] = useState(NO_ERRORS)
  const { preview, recording } = useCorrection(orderKey, read, () => {
    toast(t('corrected', { order: orderKey.order_id }))
    onClose()
  })
  const form = useInvalidFocus(errors)
  const isShown = preview.variables === draft
  const isUnchanged = isSame(draft, toDraft(read.content), read)
  const show = (event: FormEvent) => {
    event.preventDefault()
    recording.reset()
    preview.mutate(draft, {
      onSuccess: () => setErrors(NO_ERRORS),
      onError: (error) => setErrors(error instanceof Problem ? fieldErrorsOf(draft, error.details) : NO_ERRORS),
    })
  }
  return (
    <section className="stack" aria-label={t('correctOrder')}>
      <Heading />
      <form ref={form} className="stack" noValidate aria-label={t('content')} onSubmit={show}>
        <div className="pair">
          <OrderFields draft={draft} change={setDraft} errors={errors} />
          <LabelFields draft={draft} change={setDraft} errors={errors} />
        </div>
        <ItemList items={draft.items} change={setDraft} errors={errors} {...lists} />
        <div className="row">
          <button
            className="button button-primary"
            disabled={isUnchanged || hasRepeatedName(draft) || preview.isPending}
          >
            {t('showChanges')}
          </button>
          <button type="button" className="button" onClick={onClose}>
            {t('cancel')}
          </button>
          {isUnchanged && <p className="muted">{t('unchanged')}</p>}
        </div>
      </form>
      {preview.isPending && <Loading />}
      {preview.error && <Refusal problem={preview.error} others={errors.others} onReload={onReload} />}
      {preview.data && isShown && (
        <section className="card section" aria-label={t('whatChanges')}>
          <h2>{t('whatChanges')}</h2>
          {preview.data.warnings && <CorrectionWarnings warnings={preview.data.warnings} />}
          <PreviewTables {...preview.data} />
          <Recording isPending={recording.isPending} onRecord={(reason) => recording.mutate({ draft, reason })} />
          {recording.error && <Refusal problem={recording.error} others={[]} onReload={onReload} />}
        </section>
      )}
    </section>
  )
}

const isSame = (one: Draft, other: Draft, { content }: ReadContent): boolean =>
  JSON.stringify(toContent(one, content)) === JSON.stringify(toContent(other, content))

/** Of a draft that was rejected, the first field that is wrong has the focus. */
function useInvalidFocus(errors: FieldErrors) {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (errors.at.size > 0) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [errors])
  return form
}

/** The button that opened the form is gone: the focus goes to its heading. */
function Heading() {
  const t = useMessages({ en, de })
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <div>
      <h2 ref={heading} tabIndex={-1}>
        {t('correctOrder')}
      </h2>
      <p className="muted">{t('help')}</p>
    </div>
  )
}

interface RefusalProps {
  readonly problem: Error
  /** What is wrong elsewhere than at the fields. */
  readonly others: Problem['details']
  readonly onReload: () => void
}

function Refusal({ problem, others, onReload }: RefusalProps) {
  const t = useMessages({ en, de })
  if (!(problem instanceof Problem)) return <ProblemNotice problem={problem} />
  const { status, code, why, details, requestId } = problem
  if (status === 412)
    return (
      <>
        <ProblemNotice problem={problem} sentence={t('changedMeanwhile')} />
        <div>
          <button className="button" onClick={onReload}>
            {t('loadAgain')}
          </button>
        </div>
      </>
    )
  if (others.length === details.length) return <ProblemNotice problem={problem} />
  const rest = new Problem(status, code, why, others, requestId)
  return <ProblemNotice problem={rest} sentence={t('checkFields')} />
}

interface RecordingProps {
  readonly isPending: boolean
  readonly onRecord: (reason: string) => void
}

function Recording({ isPending, onRecord }: RecordingProps) {
  const t = useMessages({ en, de })
  const [reason, setReason] = useState('')
  return (
    <>
      <ReasonField reason={reason} onChange={setReason} />
      <div>
        <button className="button button-danger" disabled={isPending} onClick={() => onRecord(reason.trim())}>
          {t('correctNow')}
        </button>
      </div>
    </>
  )
}
