// Takes a file that is dropped, or chosen by mouse or keyboard.
import { useState } from 'react'
import { useMessages } from '../i18n/language.tsx'
import de from './messages.de.json'
import en from './messages.en.json'

const ENDINGS = '.csv,.tsv,.txt,.xlsx,.jsonl,.ndjson'

export function DropZone({ onFile }: { readonly onFile: (file: File) => void }) {
  const t = useMessages({ en, de })
  const [isOver, setOver] = useState(false)
  const take = (files: FileList | null) => {
    const file = files?.[0]
    if (file) onFile(file)
  }
  return (
    <label
      className="import-drop file-area"
      data-over={isOver}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        take(event.dataTransfer.files)
      }}
    >
      <svg aria-hidden width="36" height="36" viewBox="0 0 24 24" fill="none" stroke="currentColor" strokeWidth="1.5">
        <path d="M12 16V4m0 0L7.5 8.5M12 4l4.5 4.5M4 15v3a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2v-3" />
      </svg>
      <span>{t('drop')}</span>
      <span className="import-drop-kinds">{t('kinds')}</span>
      <input
        type="file"
        accept={ENDINGS}
        onChange={({ target }) => {
          take(target.files)
          // The same file may be chosen again once it is corrected.
          target.value = ''
        }}
      />
    </label>
  )
}
