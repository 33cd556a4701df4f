// Whether the demo fleet is to go: asked before, since whatever was tried in it goes too.
import { Panel } from '../components/panel.tsx'
import { useMessages } from '../i18n/language.tsx'
import de from './messages.de.json'
import en from './messages.en.json'

export interface RemoveQuestionProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly onRemove: () => void
}

export function RemoveQuestion({ isOpen, onClose, onRemove }: RemoveQuestionProps) {
  const t = useMessages({ en, de })
  return (
    <Panel
      title={t('removeQuestion')}
      place="middle"
      isOpen={isOpen}
      onClose={onClose}
      actions={
        <>
          <button className="button" onClick={onClose}>
            {t('keep')}
          </button>
          <button className="button button-danger" onClick={onRemove}>
            {t('removeNow')}
          </button>
        </>
      }
    >
      <p>{t('removeHelp')}</p>
    </Panel>
  )
}
