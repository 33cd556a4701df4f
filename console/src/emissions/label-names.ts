// What labels of a report are called for people: parts, types, categories, countries and months have names.
import { isStandIn, useModelNames } from './model-names.ts'
import { useFormat } from '../i18n/format.ts'
import { useMessages } from '../i18n/language.tsx'
import de from './messages.de.json'
import en from './messages.en.json'

export const TYPES = ['laptop', 'mobile', 'tablet', 'monitor', 'gaming_console', 'headphone'] as const

/** Those of both books. */
export const SCOPES = ['2', '3'] as const
export const CATEGORIES = [
  'Electricity',
  'Category 1: Purchased goods and services',
  'Category 2: Capital goods',
  'Category 4: Upstream transportation and distribution',
  'Category 8: Upstream leased assets',
  'Category 13: Downstream leased assets',
] as const

type Word = keyof typeof en
const isWord = (text: string): text is Word => text in en

/** @returns what a type of device is called; one that is not known by itself */
export function useTypeName(): (type: string) => string {
  const t = useMessages({ en, de })
  return (type) => {
    const known = TYPES.find((one) => one === type)
    return known ? t(known) : type
  }
}

/** Dimensions whose labels are words of the API, each with a message of the same name. */
const WORDED: ReadonlySet<string> = new Set(['part', 'type', 'category', 'estimate_type'])

/**
 * @param models ids that are going to be named
 * @param known names that are there already, by id
 * @returns what names a label of a dimension; null is what the group is not told of
 */
export function useLabelNames(
  models: readonly string[] = [],
  known: ReadonlyMap<string, string> = NONE,
): (dimension: string, label: string | null) => string {
  const t = useMessages({ en, de })
  const { month, country } = useFormat()
  const names = useModelNames(models)
  return (dimension, label) => {
    if (label === null) return t(dimension === 'model' ? 'noDevice' : 'unknown')
    if (dimension === 'month') return month(label)
    if (dimension === 'country') return country(label)
    if (dimension === 'scope') return t('scopeNo', { scope: label })
    if (dimension === 'model')
      return names.get(label) ?? (isStandIn(label) ? standInName(label, t) : (known.get(label) ?? label))
    return WORDED.has(dimension) && isWord(label) ? t(label) : label
  }
}

const NONE: ReadonlyMap<string, string> = new Map()

/** `type:laptop` stands in for a model that was not found; so does a family, a brand, or a weight alone. */
function standInName(id: string, t: (key: Word, values?: Readonly<Record<string, string>>) => string): string {
  const [level, ...rest] = id.split(':')
  if (rest.length === 0) return t('standInByWeight')
  const word = `level_${level}`
  const names = rest.flatMap((one) => one.split('/')).map((one) => (isWord(one) ? t(one) : one))
  return t('standIn', { level: isWord(word) ? t(word) : level!, name: names.join(' ') })
}
