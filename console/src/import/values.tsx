// What the words for types of device in a file mean: "Notebook" is a laptop. Sent with the file, kept in its profile.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, read } from '../api/client.ts'
import { ChoiceField, Field } from '../components/fields.tsx'
import { TYPES, useTypeName } from '../emissions/label-names.ts'
import { useMessages } from '../i18n/language.tsx'
import de from './messages.de.json'
import en from './messages.en.json'
import { IGNORED, typeWordsOf, withTypeWord, type ImportState, type RequestedSettings } from './settings.ts'

export interface ValueFieldsProps {
  readonly asked: RequestedSettings
  readonly onAsk: (asked: RequestedSettings) => void
  /** The import whose rejected words are offered; null if the file itself was rejected. */
  readonly one: ImportState | null
}

export function ValueFields({ asked, onAsk, one }: ValueFieldsProps) {
  const t = useMessages({ en, de })
  const typeName = useTypeName()
  const rejected = useRejectedWords(one)
  const [added, setAdded] = useState<readonly string[]>([])
  const meanings = typeWordsOf(asked)
  const words = [...new Set([...Object.keys(meanings), ...rejected, ...added])]
  const choices = [
    { value: '', label: t('choose') },
    ...TYPES.map((type) => ({ value: type, label: typeName(type) })),
    { value: IGNORED, label: t('leftOut') },
  ]
  return (
    <>
      <h3>{t('typeWords')}</h3>
      <p className="muted">{t('typeWordsHint')}</p>
      <div className="fields import-settings" role="group" aria-label={t('typeWords')}>
        {words.map((word) => (
          <ChoiceField
            key={word}
            label={word}
            value={meanings[word] ?? ''}
            choices={choices}
            onChange={(meaning) => onAsk(withTypeWord(asked, word, meaning))}
          />
        ))}
        <NewWord onAdd={(word) => setAdded([...added, word])} />
      </div>
    </>
  )
}

function NewWord({ onAdd }: { readonly onAdd: (word: string) => void }) {
  const t = useMessages({ en, de })
  const [word, setWord] = useState('')
  const trimmed = word.trim()
  return (
    <div className="row">
      <Field label={t('newWord')}>
        {(ids) => <input {...ids} value={word} maxLength={200} onChange={({ target }) => setWord(target.value)} />}
      </Field>
      <button
        className="button"
        disabled={trimmed === ''}
        onClick={() => {
          onAdd(trimmed)
          setWord('')
        }}
      >
        {t('addWord')}
      </button>
    </div>
  )
}

/** The words of the file's column of types that were not understood, most frequent first. */
function useRejectedWords(one: ImportState | null): readonly string[] {
  const importId = String(one?.import_id ?? '')
  const groups = useQuery({
    queryKey: ['import error groups', importId, one?.rows_rejected],
    queryFn: ({ signal }) =>
      read(api.GET('/api/imports/{import_id}/error-groups', { params: { path: { import_id: importId } }, signal })),
    enabled: one !== null && one.rows_rejected > 0,
  })
  const header = one?.columns.find(({ member }) => member === 'device_type')?.header
  return (groups.data?.groups ?? [])
    .filter(({ column }) => column !== null && (column === 'device_type' || column === header))
    .flatMap(({ values }) => values.flatMap(({ value }) => (value ? [value] : [])))
}
