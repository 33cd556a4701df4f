// Settings as a profile keeps them: in the form in which they are sent.
import { hash } from 'node:crypto'
import { isBlank } from './cells.ts'
import { DELIMITER_NAMES, type Delimiter, type DetectionEvidence, type Settings } from './settings.ts'

/** Delimiters by name; all others as in Settings. */
export type SentSettings = Omit<Partial<Settings>, 'delimiter'> & { readonly delimiter?: string }

const DELIMITER_OF = new Map(Object.entries(DELIMITER_NAMES).map(([delimiter, name]) => [name, delimiter as Delimiter]))

export function settingsOfSent({ delimiter, ...sent }: SentSettings): Partial<Settings> {
  return { ...sent, ...(delimiter !== undefined && { delimiter: DELIMITER_OF.get(delimiter)! }) }
}

/** Settings of every file with the header. The others were detected from one file, and may differ in the next one. */
const OF_HEADER = ['layout', 'decimal', 'dates', 'columns', 'values', 'register', 'constants'] as const
const AS_REQUESTED = 'as_requested'

/** What an accepted file says of the next one with its header: the settings that were requested, and the columns. */
export function settingsToKeep(settings: Settings, evidence: readonly DetectionEvidence[]): SentSettings {
  const requested = evidence.filter(({ code }) => code === AS_REQUESTED).map(({ setting }) => setting)
  const kept = Object.entries(settings).filter(
    ([name, value]) => value !== null && ((OF_HEADER as readonly string[]).includes(name) || requested.includes(name)),
  )
  const sent = Object.fromEntries(kept) as Partial<Settings>
  const { delimiter, ...others } = sent
  return { ...others, ...(delimiter && { delimiter: DELIMITER_NAMES[delimiter] }) }
}

/** Settings with those of a profile where nothing else is requested. */
export function withProfile(asked: Partial<Settings>, profile: Partial<Settings>): Partial<Settings> {
  const together = { ...profile, ...asked }
  return {
    ...together,
    ...(together.columns && { columns: { ...profile.columns, ...asked.columns } }),
    ...(together.constants && { constants: { ...profile.constants, ...asked.constants } }),
    ...(together.values && { values: { ...profile.values, ...asked.values } }),
    ...(together.register && { register: { ...profile.register, ...asked.register } }),
  }
}

/** Equal for files with the same header, apart from white space and empty columns at the end. */
export function headerHash(header: readonly string[]): Buffer {
  const end = header.findLastIndex((name) => !isBlank(name)) + 1
  const names = header.slice(0, end).map((name) =>
    name
      .replace(/^\ufeff/, '')
      .normalize('NFC')
      .trim(),
  )
  return hash('sha256', JSON.stringify(names), 'buffer')
}
