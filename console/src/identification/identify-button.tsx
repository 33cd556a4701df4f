// The button that identifies a device as another model.
import { lazy, Suspense, useState } from 'react'
import { useMessages } from '../i18n/language.tsx'
import { useSession } from '../session/session.tsx'
import de from './messages.de.json'
import en from './messages.en.json'

const IdentifyDialog = lazy(async () => ({ default: (await import('./identify-dialog.tsx')).IdentifyDialog }))

export function IdentifyButton({ serial }: { readonly serial: string }) {
  const t = useMessages({ en, de })
  const { may } = useSession()
  const [isAsking, setAsking] = useState(false)
  if (!may('orders:write')) return null
  return (
    <>
      <button className="button" onClick={() => setAsking(true)}>
        {t('identify')}
      </button>
      {isAsking && (
        <Suspense>
          <IdentifyDialog serial={serial} onClose={() => setAsking(false)} />
        </Suspense>
      )}
    </>
  )
}
