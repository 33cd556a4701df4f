// Detects texts that name an accessory for a device, such as its case; they never mean the device.
import type { MatchLexicon } from './match-lexicon.ts'
import type { Vocabulary } from './tokenise.ts'

/** The word that shows that the text names an accessory; null if the text names the device. */
export function detectAccessory(text: string, tokens: readonly string[], vocabulary: Vocabulary): string | null {
  const { terms, lexicon } = vocabulary
  const { words, patterns } = lexicon
  const found = tokens.findIndex((token) => terms.has(token) && !words.ignored.has(token))
  const named = found === -1 ? Infinity : found
  if (words.part.has(tokens[0] ?? '')) return tokens[0]!
  const last = tokens.at(-1) ?? ''
  // A text about a device may mention its battery, which is the product itself only before the device's name.
  if (patterns.battery.test(last) && named !== Infinity && !isOfUsedDevice(text, tokens, lexicon)) return last
  const isConsole = tokens.some((one) => words.console.has(one))
  for (const [at, token] of tokens.entries()) {
    if (at < named && named !== Infinity && (words.made_for.has(token) || patterns.battery.test(token))) return token
    const isThing =
      (patterns.accessory.test(token) || (isConsole && patterns.sold_for_console.test(token))) && !terms.has(token)
    const isProduct = isThing
      ? !isSoldWith(tokens, at, named, lexicon)
      : words.keyboard.has(token) && !isItsOwn(tokens, at, named, lexicon)
    if (isProduct) return token
  }
  return null
}

/** A battery after the name belongs to the device if storage, condition or charge is stated; else it is the product. */
const isOfUsedDevice = (text: string, tokens: readonly string[], { words }: MatchLexicon): boolean =>
  text.includes('%') || tokens.some((token) => words.condition.has(token) || /^\d+gb$/.test(token))

/** "with charger", "sans chargeur": the accessory comes with the device, or is stated to be missing. */
const comesWith = (tokens: readonly string[], at: number, { words }: MatchLexicon): boolean =>
  tokens.slice(Math.max(0, at - 3), at).some((before) => words.comes_with.has(before))

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
