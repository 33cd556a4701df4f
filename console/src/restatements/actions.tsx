// What can be done with a restatement: it is applied after a question, discarded, or previewed again.
import { useState } from 'react'
import { useLocation } from 'wouter'
import { ProblemNotice } from '../components/loading-and-error.tsx'
import { useToast } from '../components/toast.tsx'
import { useMessages } from '../i18n/language.tsx'
import { useSession } from '../session/session.tsx'
import { ApplyDialog } from './apply-dialog.tsx'
import de from './messages.de.json'
import en from './messages.en.json'
import { useDiscarding, useNewRestatement, type Restatement } from './use-restatements.ts'

export function Actions({ one }: { readonly one: Restatement }) {
  const t = useMessages({ en, de })
  const { may } = useSession()
  const { state, preview } = one
  if (!may('admin')) return <p className="muted">{t('readOnly')}</p>
  const mayApply = state === 'previewed' && preview !== null && preview.number_of_orders > 0
  const mayDiscard = state !== 'applying' && state !== 'applied'
  if (!mayDiscard) return null
  return (
    <div className="row">
      {mayApply && <Apply one={one} />}
      {(state === 'outdated' || state === 'failed') && <Again one={one} />}
      <Discard one={one} isOfPreview={state === 'previewing' || state === 'previewed'} />
    </div>
  )
}

function Apply({ one }: { readonly one: Restatement }) {
  const t = useMessages({ en, de })
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <button className="button button-primary" onClick={() => setAsking(true)}>
        {t('apply')}
      </button>
      <ApplyDialog one={one} isOpen={isAsking} onClose={() => setAsking(false)} />
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
