// What a text begins with: a thing or part that is the product, whatever devices are named behind it.
import { brandKey } from '../reference/product-family.ts'
import { brandInText } from './brand.ts'
import { typesOf } from './device-type.ts'
import type { MatchLexicon } from './match-lexicon.ts'
import { NO_DEVICE, isName, lineInWords } from './product-lines.ts'

/** "Lote 14", "2x", "Original", "Neues", "HP": what may stand before the thing. */
const isBeforeThing = (word: string, { words, meanings }: MatchLexicon): boolean =>
  /^\d+x?$/.test(word) || words.before_thing.has(word) || words.condition.has(word) || meanings.brand.has(word)

/**
 * The thing that a text begins with, quantities, conditions and makers aside: "Tarjeta" of "Tarjeta Wifi Laptop", the
 * screen of "Pantalla LCD Redmi 9". Languages that put the thing first say of which device it is without a "for".
 */
export function thingAtHead(text: string, words: readonly string[], lexicon: MatchLexicon): string | null {
  if (isOfAccessoryMaker(words, lexicon)) return words[0]!
  const from = words.findIndex((word) => !isBeforeThing(word, lexicon))
  const head = words[from]
  if (head === undefined) return null
  const next = words[from + 1] ?? ''
  if (lexicon.patterns.thing_first.test(head) || lexicon.words.two_words_first.has(`${head} ${next}`)) return head
  return isScreenOfDevice(text, words, from, lexicon) ? head : null
}

/** "Tech21 iPhone 13": what a maker of accessories makes for a device, unless a word says what else it is. */
function isOfAccessoryMaker(words: readonly string[], { words: lists, meanings }: MatchLexicon): boolean {
  const [first = '', second = ''] = words
  if (words.length < 2) return false
  if (!lists.accessory_maker.has(first) && !lists.accessory_maker.has(`${first} ${second}`)) return false
  const isOwnDevice = (type: string | undefined) => type === 'headphone' || type === 'monitor'
  return !words.some(
    (word) => isOwnDevice(meanings.device_type.get(word)) || isOwnDevice(meanings.device_type_weak.get(word)),
  )
}

/** "MacBook Air 2015 Pantalla": a device without its equipment, and as the last word its screen. */
export function screenAtEnd(text: string, words: readonly string[], lexicon: MatchLexicon): string | null {
  const last = words.findLast((word) => word !== 'completa' && word !== 'complet') ?? ''
  if (!lexicon.words.screen_behind.has(last) || words[0] === last) return null
  const isEquipped = (word: string) =>
    lexicon.words.processor.has(word) || /^\d+[gt]b$/.test(word) || /inch$/.test(word)
  if (/["”″,]|''/.test(text) || words.some(isEquipped)) return null
  return isOfDevice(words.slice(0, -1), lexicon) ? last : null
}

/** Contacts by which a panel is joined to a laptop: "30 pin", "40 Pins". */
const PANEL_PINS = /\b[34]0[\s-]?pin/

/**
 * "Ecran LCD iPhone 8", "Tela notebook 15.6": a screen, and the device of which it is a part. A screen that is itself
 * portable, "Ecran portable 15.6", is a monitor, and so is one as large as a monitor.
 */
function isScreenOfDevice(text: string, words: readonly string[], at: number, lexicon: MatchLexicon): boolean {
  const { words: lists } = lexicon
  if (!lists.screen.has(words[at]!)) return false
  if (PANEL_PINS.test(text.toLowerCase())) return true
  if (lists.carried.has(words[at + 1] ?? '')) return false
  return isOfDevice(words, lexicon)
}

/** True if words name a device with a screen, and nothing that a monitor has. */
function isOfDevice(words: readonly string[], lexicon: MatchLexicon): boolean {
  if (words.some(isMonitorSize)) return false
  const types = typesOf(words, lexicon)
  if (types.size > 0) return !types.has('monitor')
  const maker = brandInText(words, lexicon)
  const line = lineInWords(words, maker === null ? null : brandKey(maker), lexicon.lines)?.line
  return line !== undefined && line.type !== NO_DEVICE && line.type !== 'monitor' && isName(line)
}

/** Inches that a text states without a unit, "Ecran HP Pavilion 27": above those of laptops, below those of halls. */
const MONITOR_INCHES_MIN = 18
const MONITOR_INCHES_MAX = 60

const isMonitorSize = (word: string): boolean => {
  const inches = Number(/^(\d\d)(?:inch|zoll|pulgadas|pouces|pollici)?$/.exec(word)?.[1] ?? 0)
  return inches >= MONITOR_INCHES_MIN && inches <= MONITOR_INCHES_MAX
}
