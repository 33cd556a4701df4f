// Above every page while the session looks at a demo fleet: that it does, and the ways out.
import { useState } from 'react'
import { useMessages } from '../i18n/language.tsx'
import { useSession } from '../session/session.tsx'
import { useRemoval, useWayBack } from './fleet.ts'
import de from './messages.de.json'
import en from './messages.en.json'
import { RemoveQuestion } from './remove-question.tsx'
import './demo.css'

/** Who signed in with a key of the demo fleet itself came from nowhere: to sign out is the way then. */
export function DemoBanner() {
  const t = useMessages({ en, de })
  const { own_account: own } = useSession()
  return (
    <section className="demo-banner" aria-label={t('banner')}>
      <p>
        <strong>{t('banner')}</strong> {own === null ? t('bannerDirect') : t('bannerHelp', { account: own })}
      </p>
      {own !== null && <WaysOut />}
    </section>
  )
}

function WaysOut() {
  const t = useMessages({ en, de })
  const [isAsking, setAsking] = useState(false)
  const back = useWayBack()
  const removal = useRemoval()
  // From the own account, as only its key may. What fails is told by a notice.
  const remove = async () => {
    setAsking(false)
    await back.mutateAsync()
    await removal.mutateAsync()
  }
  return (
    <div className="row">
      <button className="button" disabled={back.isPending} onClick={() => back.mutate()}>
        {t('back')}
      </button>
      <button className="button button-danger" onClick={() => setAsking(true)}>
        {t('remove')}
      </button>
      <RemoveQuestion
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onRemove={() => void remove().catch(() => undefined)}
      />
    </div>
  )
}
