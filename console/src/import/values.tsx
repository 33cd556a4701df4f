// What words of a file mean: "Notebook" is a laptop, "DHL Paket" a truck. Sent with the file, kept in its profile.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, read } from '../api/client.ts'
import { transportName, useTransports } from '../api/factor-lists.ts'
import { ChoiceField, Field, type Choice } from '../components/fields.tsx'
import { TYPES, useTypeName } from '../emissions/label-names.ts'
import { useFormat } from '../i18n/format.ts'
import { useMessages } from '../i18n/language.tsx'
import { suggestionsOf } from './cell-text.tsx'
import de from './messages.de.json'
import en from './messages.en.json'
import { IGNORED, withWord, wordsOf, type ImportState, type RequestedSettings, type WordColumn } from './settings.ts'

export interface ValueFieldsProps {
  readonly column: WordColumn
  readonly asked: RequestedSettings
  readonly onAsk: (asked: RequestedSettings) => void
  /** The import whose rejected words are offered; null if the file itself was rejected. */
  readonly one: ImportState | null
}

export function ValueFields({ column, asked, onAsk, one }: ValueFieldsProps) {
  const t = useMessages({ en, de })
  const rejected = useRejectedWords(one, column)
  const choicesFor = useChoices(column)
  const [added, setAdded] = useState<readonly string[]>([])
  const meanings = wordsOf(asked, column)
  const words = [...new Set([...Object.keys(meanings), ...rejected.keys(), ...added])]
  const title = column === 'device_type' ? t('typeWords') : t('transportWords')
  return (
    <>
      <h3>{title}</h3>
      <p className="muted">{column === 'device_type' ? t('typeWordsHint') : t('transportWordsHint')}</p>
      <div className="fields import-settings" role="group" aria-label={title}>
        {words.map((word) => (
          <ChoiceField
            key={word}
            label={word}
            value={meanings[word] ?? ''}
            choices={choicesFor(rejected.get(word) ?? [])}
            onChange={(meaning) => onAsk(withWord(asked, column, word, meaning))}
          />
        ))}
        <NewWord onAdd={(word) => setAdded([...added, word])} />
      </div>
    </>
  )
}

/** The choices for a word of the column, given what is suggested for it; these come first. */
function useChoices(column: WordColumn): (suggested: readonly string[]) => readonly Choice[] {
  const t = useMessages({ en, de })
  const { told } = useFormat()
  const typeName = useTypeName()
  const transports = useTransports()
  const all: readonly Choice[] =
    column === 'device_type'
      ? TYPES.map((type) => ({ value: type, label: typeName(type) }))
      : (transports.data?.packagings ?? []).map((one) => ({
          value: one.transportation_id,
          label: told(transportName(one)),
        }))
  return (suggested) => {
    const probable = suggested.flatMap((value) => all.filter((one) => one.value === value))
    return [
      { value: '', label: t('choose') },
      ...probable.map(({ value, label }) => ({ value, label: t('probableMeaning', { meaning: label }) })),
      ...all.filter((one) => !probable.includes(one)),
      { value: IGNORED, label: t('leftOut') },
    ]
  }
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

/** The words of the file's column that were not understood, most frequent first, with what is suggested for each. */
function useRejectedWords(one: ImportState | null, column: WordColumn): ReadonlyMap<string, readonly string[]> {
  const importId = String(one?.import_id ?? '')
  const groups = useQuery({
    queryKey: ['import error groups', importId, one?.rows_rejected],
    queryFn: ({ signal }) =>
      read(api.GET('/api/imports/{import_id}/error-groups', { params: { path: { import_id: importId } }, signal })),
    enabled: one !== null && one.rows_rejected > 0,
  })
  const header = one?.columns.find(({ member }) => member === column)?.header
  return new Map(
    (groups.data?.groups ?? [])
      .filter((group) => group.column !== null && (group.column === column || group.column === header))
      .flatMap(({ values }) =>
        values.flatMap(({ value, ...suggested }) => (value ? [[value, suggestionsOf(suggested)] as const] : [])),
      ),
  )
}
