// What labels of a report are called for people: parts, types, countries and months have names.
import { STAND_IN, useModelNames } from './model-names.ts'
import { useFormat } from '../language/format.ts'
import { useMessages } from '../language/language.tsx'
import de from './messages.de.json'
import en from './messages.en.json'

export const TYPES = ['laptop', 'mobile', 'tablet', 'monitor', 'gaming_console', 'headphone'] as const

type Word = keyof typeof en
const isWord = (text: string): text is Word => text in en

/** Dimensions whose labels are words of the API, each with a message of the same name. */
const WORDED: ReadonlySet<string> = new Set(['part', 'type', 'estimate_type'])

/**
 * @param models ids that are going to be named
 * @returns what names a label of a dimension; null is what the group is not told of
 */
export function useLabelNames(models: readonly string[] = []): (dimension: string, label: string | null) => string {
  const say = useMessages({ en, de })
  const { month, country } = useFormat()
  const names = useModelNames(models)
  return (dimension, label) => {
    if (label === null) return say(dimension === 'model' ? 'noDevice' : 'notTold')
    if (dimension === 'month') return month(label)
    if (dimension === 'country') return country(label)
    if (dimension === 'scope') return say('scopeNo', { scope: label })
    if (dimension === 'model') return names.get(label) ?? standInName(label, say)
    return WORDED.has(dimension) && isWord(label) ? say(label) : label
  }
}

/** By what a stand-in was found, and a typical what it is; an id that the catalogue does not have stays as it is. */
function standInName(id: string, say: (key: Word, values?: Readonly<Record<string, string>>) => string): string {
  const [, level, name] = STAND_IN.exec(id) ?? []
  const levelWord = `by_${level}`
  if (!isWord(levelWord)) return id
  if (!name) return say('standInAlone', { level: say(levelWord) })
  return say('standIn', { level: say(levelWord), name: isWord(name) ? say(name) : name })
}
