// A secret that the service shows only once, like a key: closed without being copied, it would be lost.
import { useId, useState, type ReactNode } from 'react'
import { CopyButton } from './copy-button.tsx'
import { Panel } from './panel.tsx'
import './secret-panel.css'

export interface SecretPanelProps {
  readonly title: string
  /** That it is shown only once, and what to do if it is lost. */
  readonly warning: string
  readonly name: string
  readonly secret: string
  /** What it is for, and who needs what beside it. */
  readonly children: ReactNode
  /** What the button says that closes the panel. */
  readonly saved: string
  /** What is said to who closes it without having copied the secret. */
  readonly unsaved: string
  readonly onClose: () => void
}

export function SecretPanel({ title, warning, name, secret, children, saved, unsaved, onClose }: SecretPanelProps) {
  const [isSaved, setSaved] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const id = useId()
  return (
    <Panel
      title={title}
      place="middle"
      isOpen
      onClose={() => (isSaved || isAsking ? onClose() : setAsking(true))}
      actions={
        <button className={isSaved ? 'button button-primary' : 'button'} onClick={onClose}>
          {saved}
        </button>
      }
    >
      <p className="note note-warning">{warning}</p>
      <label htmlFor={id}>{name}</label>
      <div className="row">
        <textarea
          id={id}
          className="secret"
          rows={2}
          readOnly
          value={secret}
          spellCheck={false}
          onFocus={({ target }) => target.select()}
          onCopy={() => setSaved(true)}
        />
        <CopyButton text={secret} name={name} onCopied={() => setSaved(true)} look={isSaved ? undefined : 'primary'} />
      </div>
      {children}
      {isAsking && !isSaved && (
        <p role="alert" className="problem">
          {unsaved}
        </p>
      )}
    </Panel>
  )
}
