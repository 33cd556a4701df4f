// The button that corrects an order.
import { useMessages } from '../i18n/language.tsx'
import { useSession } from '../session/session.tsx'
import de from './messages.de.json'
import en from './messages.en.json'

export interface CorrectButtonProps {
  /** True where the form was just closed: the focus was in it. */
  readonly hasFocus: boolean
  readonly onClick: () => void
}

export function CorrectButton({ hasFocus, onClick }: CorrectButtonProps) {
  const t = useMessages({ en, de })
  const { may } = useSession()
  if (!may('orders:write')) return null
  return (
    <button className="button" autoFocus={hasFocus} onClick={onClick}>
      {t('correct')}
    </button>
  )
}
