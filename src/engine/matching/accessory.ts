// Detects texts that name an accessory for a device, such as its case; they never mean the device.
import { otherThing, typeByParts, typesOf } from './device-type.ts'
import { normalisedWords } from './brand.ts'
import { screenAtEnd, thingAtHead } from './head.ts'
import { typeOfWord, type MatchLexicon } from './match-lexicon.ts'
import type { Vocabulary } from './tokenise.ts'

/** The word that shows that the text names an accessory; null if the text names the device. */
export function detectAccessory(text: string, tokens: readonly string[], vocabulary: Vocabulary): string | null {
  const { lexicon } = vocabulary
  const words = normalisedWords(text)
  const head = thingAtHead(text, words, lexicon) ?? screenAtEnd(text, words, lexicon)
  if (head !== null) return head
  const found = accessoryWord(text, tokens, vocabulary)
  const types = typesOf(words, lexicon)
  // "LCD monitor" is no part, "repair of a laptop" no laptop.
  const isHead = lexicon.words.part.has(tokens[0] ?? '') && !types.has('monitor')
  if (found !== null && (isHead || types.size > 1 || !isEquipment(text, found, tokens, vocabulary))) return found
  // "Studio monitor headphones" are headphones.
  const other = types.size === 0 ? otherThing(words, lexicon) : null
  return other?.phrase ?? thingForType(text, tokens, vocabulary)
}

/** The first word that names an accessory and does not say that it comes with the device. */
function accessoryWord(text: string, tokens: readonly string[], { terms, lexicon }: Vocabulary): string | null {
  const { words, meanings, patterns } = lexicon
  const found = tokens.findIndex((token) => terms.has(token) && !words.ignored.has(token))
  const named = found === -1 ? Infinity : found
  if (words.part.has(tokens[0] ?? '')) return tokens[0]!
  // A text about a device may mention its battery, which is the product only before the name or as the last word.
  const last = named === Infinity ? '' : lastWordOf(text)
  if (patterns.spare_part.test(last) && !isOfUsedDevice(text, tokens, lexicon)) return last
  const isConsole = tokens.some((one) => words.console.has(one))
  if (isConsole && (namesSeveralConsoles(tokens, lexicon) || namesGame(text, tokens, lexicon))) return GAME
  const isHeadphone = tokens.some((token) => meanings.device_type.get(token) === HEADPHONE)
  for (const [at, token] of tokens.entries()) {
    const isFor = words.made_for.has(token) && !isHeadphone
    if (at < named && named !== Infinity && (isFor || patterns.spare_part.test(token))) return token
    const isThing =
      (isAccessoryWord(tokens, at, named, lexicon) ||
        (isConsole && patterns.sold_for_console.test(token) && !isInName(tokens, at, lexicon))) &&
      !terms.has(token)
    const isProduct = isThing
      ? !isSoldWith(tokens, at, named, lexicon)
      : words.keyboard.has(token) && !isItsOwn(tokens, at, named, lexicon)
    if (isProduct) return token
  }
  return null
}

/** A word of the list, unless it belongs to a name ("EliteBook Folio") or is the product's own type ("headset"). */
function isAccessoryWord(tokens: readonly string[], at: number, named: number, lexicon: MatchLexicon): boolean {
  const { meanings, patterns } = lexicon
  const token = tokens[at]!
  if (!patterns.accessory.test(token) || patterns.not_accessory.test(token)) return false
  const type = meanings.device_type_weak.get(token)
  if (type !== undefined && (named === Infinity || (type === HEADPHONE && isOnlyType(type, tokens, lexicon))))
    return false
  return !isInName(tokens, at, lexicon)
}

/** "EliteBook Folio", "PS5 Disc Drive Edition". */
const isInName = (tokens: readonly string[], at: number, { words }: MatchLexicon): boolean =>
  [`${tokens[at - 1]} ${tokens[at]}`, `${tokens[at]} ${tokens[at + 1]}`].some((pair) =>
    words.accessory_in_name.has(pair),
  )

/** What is made for two consoles, "PS4 & PS5", is played or held. */
function namesSeveralConsoles(tokens: readonly string[], { words }: MatchLexicon): boolean {
  const behind = tokens.filter((_token, at) => words.console.has(tokens[at - 1] ?? ''))
  return new Set(behind.filter((token) => /^\d$/.test(token))).size > 1
}

/** A console and a dash, behind which a shop writes a game's title or what kind of console it is. */
const CONSOLE_AND_DASH = new RegExp(
  String.raw`^\W*(?:sony |microsoft |nintendo )?` +
    String.raw`(?:ps ?\d|playstation ?\d|xbox(?: one| 360| series [xs])?|switch(?: 2)?|wii(?: u)?|3?ds) ?[-–—:|] `,
  'i',
)

/**
 * "The Last of Us PS4", "PS4 - Cyberpunk 2077": words before the console, or behind it and a dash, that shops and
 * registers do not write of a console are a game's title.
 */
function namesGame(text: string, tokens: readonly string[], lexicon: MatchLexicon): boolean {
  const { words, meanings } = lexicon
  const isHardware = (token: string) =>
    typeOfWord(token, lexicon) !== undefined ||
    meanings.device_type_weak.get(token) === HEADPHONE ||
    words.console_variant.has(token) ||
    /^\d+gb$/.test(token)
  if (tokens.some(isHardware)) return false
  const at = tokens.findIndex((token) => words.console.has(token))
  const title = CONSOLE_AND_DASH.test(text) ? tokens.slice(at + 1) : tokens.slice(0, at)
  return title.some(
    (token) =>
      /^[a-z]{3,}$/.test(token) &&
      !words.console_word.has(token) &&
      !words.ignored.has(token) &&
      !meanings.brand.has(token) &&
      !lexicon.patterns.accessory.test(token),
  )
}

const GAME = 'game'

const HEADPHONE = 'headphone'

/** True unless a device is named of which a headset is a part: "iPhone 13 headset", unlike "PS4 headset". */
const isOnlyType = (type: string, tokens: readonly string[], { words, meanings }: MatchLexicon): boolean =>
  tokens.some((token) => meanings.device_type.get(token) === type) ||
  !tokens.some(
    (token) =>
      (meanings.product_line.has(token) && !words.console.has(token)) ||
      (meanings.device_type.get(token) ?? type) !== type,
  )

/** The last word but codes and what stands in brackets: "Battery" in "ThinkPad Battery 61+ (rear)". */
const lastWordOf = (text: string): string =>
  normalisedWords(text.replaceAll(BRACKETS, ' ')).findLast((word) => !/\d/.test(word)) ?? ''

const BRACKETS = /\([^)]*\)|\[[^\]]*\]/g
/** Commas and the like; a hyphen only between blanks. */
const BOUNDARY = /[,;|/]|\s[-–—+]+\s/

/** The clauses of a text, of which the first names the product. What stands in brackets describes it. */
const clausesOf = (text: string): readonly string[] => text.replaceAll(BRACKETS, ' ').split(BOUNDARY)

/** True if a device is named before its accessories: "Laptop, Backlit Keyboard". Each clause is read on its own. */
function isEquipment(text: string, found: string, tokens: readonly string[], { terms, lexicon }: Vocabulary): boolean {
  // Behind the whole name of a model, the last word is the product: "Surface Laptop 4, metal palm rest, case".
  const isLast = tokens.at(-1) === found && !lexicon.words.keyboard.has(found)
  if (isLast && !lexicon.patterns.sold_with_device.test(found) && tokens.some((token) => terms.has(token))) return false
  for (const clause of clausesOf(text)) {
    const words = normalisedWords(clause)
    const named = words.findIndex(
      (word) => typeOfWord(word, lexicon) !== undefined || lexicon.words.processor.has(word),
    )
    const device = named === -1 && typeByParts(clause, words, lexicon) !== null ? 0 : named
    const thing = words.findIndex((_word, at) => isThingAt(words, at, lexicon))
    if (thing !== -1)
      return (
        isOwnPart(words, thing, device, lexicon) ||
        isOfHeadphone(words, thing, device, lexicon) ||
        isOfComputer(normalisedWords(text), lexicon)
      )
    if (device !== -1) return !words.slice(0, device).some((word) => lexicon.words.made_for.has(word))
  }
  return false
}

const isThingAt = (words: readonly string[], at: number, lexicon: MatchLexicon): boolean => {
  const word = words[at]!
  return (
    isAccessoryWord(words, at, 0, lexicon) ||
    lexicon.patterns.spare_part.test(word) ||
    lexicon.words.keyboard.has(word) ||
    lexicon.words.thing_behind_type.has(word)
  )
}

/** Capacity of a battery: 90whr, 56wh, 5000mah. */
const CAPACITY = /^\d+(?:whr?s?|mah)$/

/** "ROG Strix 90WHr Battery Gaming Laptop": a part with its measure, between a name and the type at the end. */
function isOwnPart(words: readonly string[], thing: number, device: number, { words: lists, meanings }: MatchLexicon) {
  const before = words[thing - 1] ?? ''
  const isDescribed = CAPACITY.test(before) || lists.keyboard_layout.has(before)
  const isNamed = words.slice(0, thing).some((word) => meanings.brand.has(word) || lists.line.has(word))
  return isDescribed && isNamed && device > thing && device === words.length - 1
}

/** Words between headphones and what they come with; fewer name a thing for them: "headphone jack adapter". */
const WORDS_BETWEEN = 2

/** "Słuchawki bezprzewodowe nauszne z mikrofonem i powerbankiem": headphones, and behind them what they come with. */
const isOfHeadphone = (words: readonly string[], thing: number, device: number, lexicon: MatchLexicon): boolean =>
  device !== -1 &&
  typeOfWord(words[device]!, lexicon) === HEADPHONE &&
  thing - device >= WORDS_BETWEEN &&
  lexicon.patterns.sold_with_headphone.test(words[thing]!)

/**
 * "HP 15 Core i5 16GB RAM backlit keyboard": processor and memory named before an included accessory describe a
 * computer; a spare part such as a mainboard uses the same words.
 */
function isOfComputer(words: readonly string[], lexicon: MatchLexicon): boolean {
  const { words: lists, patterns } = lexicon
  const thing = words.findIndex((word, at) => isAccessoryWord(words, at, 0, lexicon) || lists.keyboard.has(word))
  const comesWithIt = lists.keyboard.has(words[thing]!) || patterns.sold_with_device.test(words[thing]!)
  const before = words.slice(0, thing)
  return (
    comesWithIt &&
    !before.some((word) => lists.made_for.has(word)) &&
    before.some((word) => lists.processor.has(word)) &&
    before.some((word) => word === 'ram' || /^\d+gb(?:ram)?$/.test(word))
  )
}

/** The thing that a type only describes: "notebook lock", "laptop hard drive", "hub for laptop". */
function thingForType(text: string, tokens: readonly string[], vocabulary: Vocabulary): string | null {
  const { terms, lexicon } = vocabulary
  const { words: lists } = lexicon
  if (tokens.includes('intel') || tokens.includes('amd')) return null
  if (!normalisedWords(text).some((word) => typeOfWord(word, lexicon) !== undefined)) return null
  const isNamed = tokens.some((token) => terms.has(token) || lists.line.has(token))
  for (const clause of clausesOf(text)) {
    const words = normalisedWords(clause)
    const device = words.findIndex((word) => typeOfWord(word, lexicon) !== undefined)
    if (device === -1) continue
    const preposition = words.slice(Math.max(0, device - 2), device).find((word) => lists.made_for.has(word))
    if (preposition !== undefined && !isNamed && words[0] !== preposition) return preposition
    const thing = thingBehind(words, device, lexicon)
    const isMemory = thing !== undefined && lists.part.has(thing)
    if (thing !== undefined && !(isMemory && (isNamed || storageCount(tokens) > 1))) return thing
  }
  return null
}

/** Words of which the last may be the thing: "laptop security lock". */
const WORDS_BEHIND = 2

function thingBehind(words: readonly string[], device: number, { words: lists }: MatchLexicon): string | undefined {
  const behind = words.slice(device + 1, device + 1 + WORDS_BEHIND)
  const end = behind.findIndex((word) => /\d/.test(word) || lists.comes_with.has(word))
  return behind.slice(0, end === -1 ? WORDS_BEHIND : end).find((word) => lists.thing_behind_type.has(word))
}

const storageCount = (tokens: readonly string[]): number => tokens.filter((token) => /^\d+[gt]b$/.test(token)).length

/** A battery behind the name belongs to the device if other parts, condition or charge are told. */
const isOfUsedDevice = (text: string, tokens: readonly string[], { words }: MatchLexicon): boolean =>
  text.includes('%') || tokens.some((token) => words.condition.has(token) || /^(?:\d+gb|intel|amd)$/.test(token))

/** "with charger", "sans chargeur", "charger in the box": it comes with the device, or is stated to be missing. */
function comesWith(tokens: readonly string[], at: number, { words }: MatchLexicon): boolean {
  if (tokens.slice(Math.max(0, at - 3), at).some((before) => words.comes_with.has(before))) return true
  const behind = tokens.slice(at + 1, at + 4)
  return behind.some((_one, end) => words.comes_along.has(behind.slice(0, end + 1).join(' ')))
}

/** "with charger"; or a dock or charger at the end of a text that describes a computer. */
function isSoldWith(tokens: readonly string[], at: number, named: number, lexicon: MatchLexicon): boolean {
  if (comesWith(tokens, at, lexicon)) return true
  const isDevice =
    tokens.some((token) => token === 'intel' || token === 'amd') ||
    tokens.slice(0, named).some((token) => lexicon.meanings.device_type.has(token))
  return at > named && isDevice && lexicon.patterns.sold_with_device.test(tokens[at]!)
}

/** A keyboard that is described by its layout belongs to the device. */
function isItsOwn(tokens: readonly string[], at: number, named: number, lexicon: MatchLexicon): boolean {
  const beside = tokens.slice(Math.max(0, at - 2), at + 3)
  const isTold =
    beside.some((one) => lexicon.words.keyboard_layout.has(one)) ||
    tokens.some((one) => /^(?:intel|amd|\d+gb)$/.test(one))
  return comesWith(tokens, at, lexicon) || (at > named && isTold)
}
