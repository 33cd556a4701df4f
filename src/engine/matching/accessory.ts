// Detects texts that name an accessory for a device, such as its case; they never mean the device.
import { STOP_WORDS, TYPE_WORDS, words } from './match-lexicon.ts'
import type { Vocabulary } from './tokenise.ts'

/** Parts of words that name an accessory and not the device. */
const ACCESSORY = new RegExp(
  'hulle|huelle|schutz|tasche|rucksack|kabel|^cable|folie|ladege|ladekabel|netzteil|adapt|docking|^dock|dockstation|' +
    'halter|^cases?$|^covers?$|sleeve|charger|coque|etui|funda|custodia|cargador|chargeur|caricabat|caricator|housse|' +
    'protector|protection|pellicola|vetro|^verre|panzerglas|^glas$|bumper|^folio$|smartcover|backpack|^bag$|^bags$|' +
    'pencil|stylus|^stift|^pen$|^maus|^mouse|^souris|^raton|^mount|^holder|supporto|soporte|^strap|armband|' +
    'ersatz|reparatur|repair|replacement|^spare|repuesto|ricambi|digitizer|mainboard|motherboard|logicboard|' +
    'attrappe|dummy|standfuss$|stander$|wandhalter|alimentat|alimentador|^skin$|sticker|aufkleber|' +
    'filter|blickschutz|remote|controller|gamepad|headset|^hutt|porttasche|zubehor|accesso|^accesor|' +
    'mochila|^zaino|^sacoche|^sac$|^borsa|^tempered|hoes|carcasa|^kit$|^shell$|^tray|^simtray|pellicule|trackpad|' +
    'ladecase|ladeschale|^stand$|leder|^wallet|hardshell|hartschale|stift$|ohrpolster|^eartips?$|^tips$|earpad|' +
    'modul$|assembly|linse$|^lens$|stativ|tripod|powerbank|kinect|^vr$|typecover|palmrest|topcase|^expansion|' +
    'spiel$|^games?$|' +
    'versicher|selbstbehalt|versandkosten|verlangerung|insurance|assurance|^seguro|assicuraz|' +
    'monitorarm|^riser|^poster|^toner|^cartridge|speicherkarte|^sodimm|' +
    'klavi|^keycap|displayglas|^hinge|^scharnier|^fan$|lufter|webcamcover|magsafe|^connector|^buchse|expositor|' +
    '^[a-z]{4,}(?:case|cover)s?$|tausch$|^ruckkauf|^ankauf|^leer(?:$|karton|box|verp)|soundbar|ladebuchse',
)
/** Accessories that are often sold together with a device; any other one in a text is the product itself. */
const OFTEN_SOLD_WITH =
  /docking|^dock|netzteil|ladege|adapt|charger|chargeur|cargador|caricabat|kabel|^cable|headset|^maus|^mouse|^pen$/
/** Parts of a device, if a text begins with them. */
const PARTS = words('ram ssd hdd arbeitsspeicher speicher festplatte memory lcd mainboard')
/** "with charger", "sans chargeur": the accessory comes with the device, or is stated to be missing. */
const COMES_WITH = words(`
  mit with avec con inkl incl including inklusive und and et y sans ohne without sin senza
  inclus incluso compris samt`) // prettier-ignore
/** "case for iPhone 13". */
const MADE_FOR = words(`fur fuer for pour para per compatible kompatibel compatibile passend geeignet suitable
  fits adatto`) // prettier-ignore
/** Texts about a device may mention its battery; it is the product itself only before the device's name. */
const BATTERY = /akku|^batter|^bateria|accu$/
/** Describes the battery of a used device: "iPhone 12 neuer Akku". */
const CONDITIONS = words(`neu neuer neue neues new neuf neuve nuevo nueva nuovo nuova gut guter gute good bon bonne
  frisch frischer ersetzt replaced zustand gebraucht generaluberholt refurbished mit with avec con`)
/** Phones and computers contain a camera and a disk; those of a console are sold separately. */
const SOLD_FOR_CONSOLES = /^[ck]amera$|festplatte$|laufwerk$|erweiterung$|erweiterungskarte$|^drive$/
const CONSOLES = words('playstation xbox')
/** Words near a keyboard that is part of the device. */
const KEYBOARD_LAYOUTS = words(`qwertz qwerty azerty deutsch deutsche german de us uk fr es it ch nordic francais
  espanol italiano english englisch englische beleuchtet beleuchtete backlit retroilluminata retroeclaire layout`)
const KEYBOARD = words('tastatur keyboard clavier teclado tastiera kb')

/** The word that shows that the text names an accessory; null if the text names the device. */
export function detectAccessory(text: string, tokens: readonly string[], { terms }: Vocabulary): string | null {
  const found = tokens.findIndex((token) => terms.has(token) && !STOP_WORDS.has(token))
  const named = found === -1 ? Infinity : found
  if (PARTS.has(tokens[0] ?? '')) return tokens[0]!
  const last = tokens.at(-1) ?? ''
  if (BATTERY.test(last) && named !== Infinity && !isOfUsedDevice(text, tokens)) return last
  const isConsole = tokens.some((one) => CONSOLES.has(one))
  for (const [at, token] of tokens.entries()) {
    if (at < named && named !== Infinity && (MADE_FOR.has(token) || BATTERY.test(token))) return token
    const isThing = (ACCESSORY.test(token) || (isConsole && SOLD_FOR_CONSOLES.test(token))) && !terms.has(token)
    if (isThing ? !isSoldWith(tokens, at, named) : KEYBOARD.has(token) && !isItsOwn(tokens, at, named)) return token
  }
  return null
}

/** A battery after the name belongs to the device if storage, condition or charge is stated; else it is the product. */
const isOfUsedDevice = (text: string, tokens: readonly string[]): boolean =>
  text.includes('%') || tokens.some((token) => CONDITIONS.has(token) || /^\d+gb$/.test(token))

const comesWith = (tokens: readonly string[], at: number): boolean =>
  tokens.slice(Math.max(0, at - 3), at).some((before) => COMES_WITH.has(before))

/** "with charger"; or a dock or charger at the end of a text that describes a computer. */
function isSoldWith(tokens: readonly string[], at: number, named: number): boolean {
  if (comesWith(tokens, at)) return true
  const isDevice =
    tokens.some((token) => token === 'intel' || token === 'amd') ||
    tokens.slice(0, named).some((token) => TYPE_WORDS.has(token))
  return at > named && isDevice && OFTEN_SOLD_WITH.test(tokens[at]!)
}

/** A keyboard that is described by its layout belongs to the device. */
function isItsOwn(tokens: readonly string[], at: number, named: number): boolean {
  const beside = tokens.slice(Math.max(0, at - 2), at + 3)
  const isTold =
    beside.some((one) => KEYBOARD_LAYOUTS.has(one)) || tokens.some((one) => /^(?:intel|amd|\d+gb)$/.test(one))
  return comesWith(tokens, at) || (at > named && isTold)
}
