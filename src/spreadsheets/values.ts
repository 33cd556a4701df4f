// Words of cells that can mean one value only, in the spelling of orders. Others are left as written, for suggestions.
import { DEVICE_TYPES } from '../engine/reference/reference-data.ts'
import { countryOfName } from '../engine/reference/synonyms.ts'
import { VALUE_KINDS } from './columns.ts'

/** Longer texts are no such word. */
const LENGTH_MAX = 60
/** Texts that people read, in which a line break is a space. */
const PROSE: ReadonlySet<string> = new Set(['product_name', 'brand', 'device_type', 'model_id', 'country'])
const LINE_BREAK = /[\r\n]/
const LINE_BREAKS = /\s*[\r\n]+\s*/g

/** A device type, kind of item or country in any case, and a country by its name; any other text as it is. */
export function readChoice(member: string, cell: string): string {
  const text = PROSE.has(member) && LINE_BREAK.test(cell) ? cell.replace(LINE_BREAKS, ' ').trim() : cell
  if (text.length > LENGTH_MAX) return text
  switch (member) {
    case 'device_type':
      return choiceOf(text, DEVICE_TYPES)
    case 'type':
      return choiceOf(text, VALUE_KINDS)
    case 'country':
      return countryOf(text)
    default:
      return text
  }
}

function choiceOf(text: string, choices: readonly string[]): string {
  const word = text
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '_')
  return choices.includes(word) ? word : text
}

function countryOf(text: string): string {
  const bare = text.trim()
  return /^[a-z]{2}$/i.test(bare) ? bare.toUpperCase() : (countryOfName(bare) ?? text)
}
