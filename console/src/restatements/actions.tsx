// What can be done with a restatement: it is applied or undone after a question, discarded, or previewed again.
import { useState, type ComponentType } from 'react'
import { useLocation } from 'wouter'
import { ProblemNotice } from '../components/loading-and-error.tsx'
import { useToast } from '../components/toast.tsx'
import { useMessages } from '../i18n/language.tsx'
import { useSession } from '../session/session.tsx'
import { ApplyDialog, type RestatementDialogProps } from './apply-dialog.tsx'
import de from './messages.de.json'
import en from './messages.en.json'
import { UndoDialog } from './undo-dialog.tsx'
import { useDiscarding, useNewRestatement, type Restatement } from './use-restatements.ts'

export function Actions({ one }: { readonly one: Restatement }) {
  const t = useMessages({ en, de })
  const { may } = useSession()
  const { state, preview } = one
  if (!may('admin')) return <p className="muted">{t('readOnly')}</p>
  const mayApply = state === 'previewed' && preview !== null && preview.number_of_orders > 0
  const mayDiscard = state !== 'applied'
  // One that failed may have posted some orders; if it did not, the service refuses to undo it, and says so.
  const mayUndo = state === 'applied' || (state === 'failed' && preview !== null)
  if (state === 'applying') return null
  return (
    <div className="row">
      {mayApply && <Asking label={t('apply')} isPrimary one={one} dialog={ApplyDialog} />}
      {(state === 'outdated' || state === 'failed') && <Again one={one} />}
      {mayUndo && <Asking label={t('undo')} one={one} dialog={UndoDialog} />}
      {mayDiscard && <Discard one={one} isOfPreview={state === 'previewing' || state === 'previewed'} />}
    </div>
  )
}

interface AskingProps {
  readonly label: string
  readonly isPrimary?: boolean
  readonly one: Restatement
  readonly dialog: ComponentType<RestatementDialogProps>
}

function Asking({ label, isPrimary = false, one, dialog: Dialog }: AskingProps) {
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <button className={isPrimary ? 'button button-primary' : 'button'} onClick={() => setAsking(true)}>
        {label}
      </button>
      <Dialog one={one} isOpen={isAsking} onClose={() => setAsking(false)} />
    </>
  )
}

/** The same orders by the same figures, as both are now. */
function Again({ one: { scope, figures, reason } }: { readonly one: Restatement }) {
  const t = useMessages({ en, de })
  const { mutate, isPending, error } = useNewRestatement()
  return (
    <>
      <button className="button button-primary" disabled={isPending} onClick={() => mutate({ scope, figures, reason })}>
        {t('previewAgain')}
      </button>
      {error && <ProblemNotice problem={error} />}
    </>
  )
}

function Discard({ one, isOfPreview }: { readonly one: Restatement; readonly isOfPreview: boolean }) {
  const t = useMessages({ en, de })
  const toast = useToast()
  const [, navigate] = useLocation()
  const { mutate, isPending, error } = useDiscarding(String(one.restatement_id), () => {
    toast(t('discarded', { reason: one.reason }))
    navigate('/restatements')
  })
  return (
    <>
      <button className="button" disabled={isPending} onClick={() => mutate()}>
        {t(isOfPreview ? 'discard' : 'removeFromList')}
      </button>
      {error && <ProblemNotice problem={error} />}
    </>
  )
}
