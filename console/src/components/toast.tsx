// Notices of what was done, in a corner, that go away by themselves and are read out.
import { Toast } from '@base-ui/react/toast'
import type { ReactNode } from 'react'
import { useMessages } from '../i18n/language.tsx'
import de from './messages.de.json'
import en from './messages.en.json'
import './toast.css'

export const ToastProvider = ({ children }: { readonly children: ReactNode }) => (
  <Toast.Provider>
    {children}
    <Toast.Portal>
      <Toast.Viewport className="toasts">
        <Toasts />
      </Toast.Viewport>
    </Toast.Portal>
  </Toast.Provider>
)

/** What can still be done about it, like taking it back. */
export interface ToastAction {
  readonly label: string
  readonly onAction: () => void
}

/** Who has to decide needs longer than who only reads. */
const DECIDE_MS = 15_000

/** @returns what shows a notice: a sentence on what was done, and what follows from it if anything does */
export function useToast(): (title: string, description?: string, action?: ToastAction) => void {
  const { add, close } = Toast.useToastManager()
  return (title, description, action) => {
    const press = () => {
      close(id)
      action?.onAction()
    }
    const id: string = add({
      title,
      ...(description && { description }),
      ...(action && { actionProps: { children: action.label, onClick: press }, timeout: DECIDE_MS }),
    })
  }
}

function Toasts() {
  const t = useMessages({ en, de })
  const { toasts } = Toast.useToastManager()
  return toasts.map((toast) => (
    <Toast.Root key={toast.id} toast={toast} className="toast">
      <Toast.Content className="toast-content">
        <div>
          <Toast.Title className="toast-title" />
          <Toast.Description />
          <Toast.Action className="button button-small" />
        </div>
        <Toast.Close className="button button-small" aria-label={t('dismiss')}>
          ×
        </Toast.Close>
      </Toast.Content>
    </Toast.Root>
  ))
}
