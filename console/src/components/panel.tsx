// What is laid over the page: a panel at its side to read beside it, or a dialog in its middle to decide in.
import { Dialog } from '@base-ui/react/dialog'
import type { ReactNode } from 'react'
import { useMessages } from '../i18n/language.tsx'
import de from './messages.de.json'
import en from './messages.en.json'
import './panel.css'

export interface PanelProps {
  readonly title: string
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly children: ReactNode
  /** `side` to read beside the page, `middle` to decide. */
  readonly place?: 'side' | 'middle'
  /** Buttons at the end of a dialog. */
  readonly actions?: ReactNode
}

/** Escape, the button and a press beside it close it; the focus goes back to where it came from. */
export function Panel({ title, isOpen, onClose, children, place = 'side', actions }: PanelProps) {
  const t = useMessages({ en, de })
  return (
    <Dialog.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop" />
        <Dialog.Popup className={`panel panel-${place}`}>
          <div className="panel-top">
            <Dialog.Title>{title}</Dialog.Title>
            <Dialog.Close className="button button-small">{t('close')}</Dialog.Close>
          </div>
          {/* Reachable by keyboard, as it may have to be scrolled. */}
          <div className="panel-content" tabIndex={0} role="group" aria-label={title}>
            {children}
          </div>
          {actions && <div className="panel-actions">{actions}</div>}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
