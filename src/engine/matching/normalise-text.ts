// Normalises product texts: no case or accents, phrases that identify no model removed, measures as single tokens.
import { joinNames } from './joined-names.ts'
import { withoutMarks, type MatchLexicon } from './match-lexicon.ts'

/** More than any model needs; a limit on the work that a hostile text can cause. */
const CHARACTERS_MAX = 200

type Rule = readonly [RegExp, string | ((...parts: string[]) => string)]

const PROCESSORS = 'celeron|pentium|xeon|athlon|snapdragon|exynos|mediatek|tensor|kompanio'
const GRADE = '(?:[\\s-](?:silver|gold|[78]\\w*))?'
const GRAPHICS = '(?:geforce|nvidia|rtx|gtx|quadro|radeon|iris|mx(?=[\\s-]?\\d))(?:[\\s-]?(?:xe|pro|rtx|gtx|mx))?'
/** Indexed by value; a single v or x is omitted because it may mean anything else. */
const ROMAN = ['', '', 'ii', 'iii', 'iv', '', 'vi', 'vii', 'viii', 'ix']
const NUMBERS = ['', '', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine']
const MEMORY = '(4|6|8|1[268]|24|32|36|48|64)'
const STORAGE = '(64|128|256|512|1000|1024|2048)'
const BROKEN_SIZES =
  '10[-_][25]|11[-_]6|12[-_][359]|13[-_][356]|15[-_][36]|16[-_]2|17[-_]3|21[-_]5|23[-_]8|31[-_]5|39[-_]7'
const PORTS = '[\\s-]?x?[\\s-]?(?:ports?\\s)?(?:thunderbolt|tb3?\\b)(?:[\\s-]?[34])?'
const STAND = '(?:stand(?:fuss)?|fuss|pied|base|soporte|supporto|peana|piede)'
const OFFICE = '(?:mso|ms[\\s-]?office|office|h\\s?&\\s?s)'
const EDITION = '(?:home|pro(?:fessional)?|student|business|h\\s?&\\s?[sb]|and|&|plus)'
const INCH =
  '(?:"(?:\\s*inch(?:es)?\\b)?|inch(?:es)?\\b|inc\\b|zoll\\w*|pouces?\\b|pulgadas?\\b|pulg\\b|pollici\\b|in\\b)'
const CONNECTORS = 'usb(?![\\s-]?c[\\s-]?hub)|hdmi|thu(?=\\d)|display[\\s-]?port|dp(?=[\\s-]?\\d)'
const PORT_KIND = '[\\s-]?(?:type[\\s-]?)?[abc]\\b'
const PORT_VERSION = '[\\s-]?\\d(?:\\.\\d)?(?:[\\s-]\\d\\.\\d)?(?![\\d.]|[\\s-]?gen)'

/** Phrases about equipment, condition or sale that are removed or reduced, in the required order. */
const TAKEN_OUT: readonly Rule[] = [
  // "2USB-TYPEC", "3Thu4", "(DisplayPort 2)", "HDMI2 1.4": how many ports, which of them, and its version.
  [new RegExp(`\\b(?:\\dx?)?(?:${CONNECTORS})(?:${PORT_KIND}|${PORT_VERSION})\\b`, 'g'), ' '],
  // "98% DCI-P3", "100 % sRGB", "RJ45", "HDR400": what a panel shows, and its connections.
  [/\b(?:dci[\s-]?p3|adobe[\s-]?rgb|srgb|rec[\s.-]?709|rj[\s-]?(?:11|45))\b/g, ' '],
  [/\b(?:display)?hdr[\s-]?(?:10|400|600|1000)\b/g, ' '],
  // What comes in the box of a console: "PlayStation 4 1TB Bundle Hits Family".
  [/\bbundle\b(?<=\b(?:playstation|ps\d|xbox|switch)\b.*).*$/g, ' bundle '],
  // Titles that a shop has cut: "14 Co(res)".
  [/\b\d{1,2}[\s-](?:co|cor|nu|nuc|nucl)$/g, ' '],
  // "And" and "in" of Portuguese, Italian and Polish, not the names of models: "moto e plus".
  [/(?<=[a-z]{2}\s)(?<!\bmoto\s)[eiw](?=\s(?!play|plus|power|ultra)[a-z]{4})/g, ' '],
  [/\bfree[\s-]?dos[\s-]?(?:\d(?:\.\d)?)?\b/g, ' '],
  [/\bwin[\s-]pro[\s-]?64[\s-]?bits?\b|\b64[\s-]?bits\b|\bvpro\b/g, ' '],
  [/(\d[gt]b)(?=(?:ssd|hdd|ram|nvme|rom)\b)/g, '$1 '],
  // "(C736, C736T, C736L)": the variants of one number.
  [/\b([a-z]{1,3}\d{3})(?:,\s?\1[a-z]{1,4}(?:-[a-z]{1,3})?)+(?![a-z\d])/g, ' $1 '],
  [/\bnano(?=\s+m\d)|\bcarbon[\s-](?=black\b)/g, ' '],
  [/\b(galaxy)\sai\b/g, '$1'],
  // "Inspiron 14 5430 (N5430-i5P165W11SL2050)": a shop's number for one equipment.
  [/\b(\d{4})\b(.*)\([a-z]?\1-[a-z\d-]+\)/g, '$1$2'],
  // "3YPS", "5CAM", "2TH-4": a service, cameras, Thunderbolt ports.
  [/\b\dy?ps\b|\b\dcam\b|\b\dth-?[34]\b/g, ' '],
  // HP and Dell count their own generations in other words: "EliteBook 840 G6, Core i7, 8th Gen".
  [/(?<=\b(?:hp|dell|elitebook|probook|zbook|latitude|precision|inspiron|vostro)\b.*)\b([4-9]|1[0-4])th[\s-]?gen\w*\b/g,
    ' cpugen$1 intel '],
  // "CI5": a register's Core i5.
  [/\bc(?=i[3579](?:[\s-]?\d{4,5}\w{0,2})?\b)/g, ''],
  [/(?<=\b(?:gb|ghz|ssd|ram|display)\b.*)\bworks with\b.*$|\bthin (?:and|&) light\b/g, ' '],
  [/\b(?:mit|with|con|avec|inkl\.?|incl\.?|und|and)\s\d\s?(?:x\s)?(?:controller(?:n|s)?|controles|manettes)\b/g, ' '],
  [/\bdual[\s-](?=(?:w?qhd|uhd|fhd|5k|4k)\b)|\b2[0-4]h[12]\b/g, ' '],
  [/(?:[€$£]\s?\d+(?:[.,]\d+)?|\b\d+(?:[.,]\d+)?\s?(?:[€$£]|eur\b|euro\b|chf\b|usd\b|gbp\b))/g, ' '],
  [/\busb[\s-]?(?:c[\s-]?)?\d(?:\.\d)?[\s-]?gen[\s-]?\d(?:x\d)?\b/g, ' '],
  [/\b64[\s-]?bit\b|\b\d{3,4}p\b|\b(?:12|24|36|48)\s?m\b/g, ' '],
  [/(?<=\b(?:i[3579]|xeon)\b.*)\b(?:t(?:[45]00|550|600|1000|1200|2000)|a(?:500|[1-5]000|1500))\b/g, ' '],
  [/\b(?:lp)?ddr\d\w?(?:[\s-]\d{4})?\b|\bu?hd(?: graphics)? \d{3}\b/g, ' '],
  [/\bvega[\s-]?\d+\b|\bsq[123]\b/g, ' '],
  [/\bsm[\s-]?([a-z]\d{3}[a-z]?)/g, ' sm$1 '],
  [/\bapple ?care\s?(?:\+|plus)?|\bcare\+|wolf pro security|pro ?support/g, ' '],
  [/\b(?:windows|win|w)[\s-]?(?:7|8|8\.1|1[01])[\s-]?(?:pro(?:fessional)?(?:64)?|p(?:64)?|home|h|enterprise|s|dg)?\b/g,
    ' '],
  [/\b(?:windows|win)[\s-]?(?:pro|home|enterprise)\b/g, ' '],
  [/\b(?:android|ios|ipados|macos|os x|office)[\s-]?\d+(?:\.\d+)?\b/g, ' '],
  [new RegExp(`\\b${OFFICE}(?:[\\s-]+${EDITION})*[\\s'-]*(?:20)?\\d\\d\\b`, 'g'), ' '],
  [/\b(?:mso|ms[\s-]?office)\b/g, ' '],
  // Numbers of Intel's processors without the name of their family: 1215U, 1135G7, 8265U.
  [/\b(?:1[0-4]\d{2,3}|[6-8][1-9][0-9]{2})(?:u|hx?|p|hk|g[1-7])\b/g, ' intel '],
  [/\b\d\s?x\s?(?:hdmi|vga|dp|displayport|dvi|usb|type|thunderbolt|lan|rj45|audio)\b/g, ' '],
  [/\b\d[\s-]?(?:sided?|ways?|axis|cells?|zone|watts?)\b/g, ' '],
  [/\b[a-z][\s-]series\b(?!\s[xs]\b)|\b\d000[\s-]series\b/g, ' '],
  [/\b(\d{1,2})(?:th|\.)?\s?gen\w*\.? (?:intel|core)\b/g, ' cpugen$1 intel '],
  [
    /\b(?:(?<!\d[\s-]?)core[\s-]?)?i[3579](?:[\s-]?\d{3,5}[a-z]{0,2}\d?)?[\s,(-]+(\d{1,2})(?:th|\.|a|e)?[\s-]?gen\w*/g,
    ' cpugen$1 intel ',
  ],
  [/\bultra[\s-]sharp\b/g, ' ultrasharp '],
  [/\busb[\s-]?c[\s-]?hub\b/g, ' '],
  [/\b([mfnp][a-z\d]{4})[a-z]{1,2}[/-]a\b/g, ' apn$1 '],
  [/\bcore[\s-]ultra[\s-]?\d(?:[\s-]?\d{3}[a-z]{1,2})?\b|\bultra [579] \d{3}[a-z]{1,2}\b/g, ' intel '],
  [/\bcore[\s-]m[357]?(?:[\s-]\d[a-z]\d\d)?\b|\bm[357]-\d[a-z]\d\d\b/g, ' intel '],
  [/\b(?:(?<!\d[\s-]?)core[\s-]?)?i[3579](?:-?\d{3,5}[a-z]{0,2}\d?| \d{4,5}[a-z]{0,2}\d?)?\b/g, ' intel '],
  [/\br[3579](?:[\s-](?:pro[\s-])?\d{4}[a-z]{0,2})?\b/g, ' amd '],
  [/\bu[579](?:[\s-]\d{3}[a-z]{1,2})?\b/g, ' intel '],
  [/\bultra[579][\s-]\d{3}[a-z]{1,2}\b|\bcore[\s-]?[357][\s-]\d{3}[a-z]\b/g, ' intel '],
  [/\b(?:standard|nano[\s-]texture)[\s-]glass\b/g, ' '],
  [/\bryzen[\s-]?(?:ai[\s-]?)?[3579]?[\s-]?(?:pro)?[\s-]?(?:\d{4}[a-z]{0,2})?\b/g, ' amd '],
  [new RegExp(`\\b(?:${PROCESSORS})${GRADE}(?:[\\s-]?(?:[a-z]{1,2}-?)?\\d{3,5}[a-z]{0,2})?(?: gen \\d)?\\b`, 'g'), ' '],
  [new RegExp(`\\b${GRAPHICS}[\\s-]?(?:[a-z]?\\d{2,4}[a-z]?)?(?:[\\s-]?(?:ti|super))?\\b`, 'g'), ' '],
  [/(?<=[a-z\d]{3}[-_])(?<!\bzbook\b.*[-_]g\d{1,2}[-_])[a-d]\+?$/g, ' '],
  [/\bn[3-6]\d{3}\b(?=[\s,/])|\bn(?:95|97|[12]00|305)\b/g, ' '],
  [/\b5[356]00m\b|\b(?:g|free)[\s-]?sync\b|\b\d\d(?:uhd|w?qhd|fhd)\b/g, ' '],
  [/\b(?:early|mid|late|anfang|mitte|ende|fin|debut)[\s-]+(?=20\d\d)/g, ' '],
  [/\((m[a-z]{2,3}\d{2,3})\)/g, ' apn$1 '],
  [/\ba(\d\d)[\s-](?:bionic|fusion)\b/g, ' a$1 '],
  [/\b\d{3,4}\s?x\s?\d{3,4}\b/g, ' '],
  [/\b\d+(?:\.\d+)?\s?(?:hz|nits|cd|(?<=\d\d\s?)w|wh|kg|mah|mp|%|mm|cm|ms|g(?=ewicht))(?![a-z0-9/])/g, ' '],
  [/\b\d{1,2}[\s-]?(?:monate?n?|months?|mois|meses|mesi|jahren?|jahre|years?|ans|anos|anni|tage|mo|y|yr)\b/g, ' '],
  [/\b(?:wi[\s-]?fi|wlan|bluetooth|bt|hdmi|usb|ddr|lpddr|pcie)[\s-]?(?:\d[a-z]?(?:\.\d)?)?\b(?![\s-]?c\b)/g, ' '],
  [/\b(?:usb[\s-]?c|type[\s-]?c|m\.2|dual[\s-]?sim|e[\s-]?sim|(?:[1-9]\.[1-9]|[24568])k|dual[\s-]?band)\b/g, ' '],
  [/\b(?:grade|zustand|klasse|kategorie|condition|grado|etat|stato|estado)[\s:-]*[a-d][+-]*(?![a-z0-9])/g, ' '],
  [/\b[a-c]\+?[\s-]?(?:grade|ware)\b|\benergy star\b/g, ' '],
  [/^\s*\d{1,2}\s?x\s+/g, ' '],
  // The running number of a slug that has told its storage: "iphone-13-128gb-black-2".
  [/-\d{1,2}$(?<=^\S*-\d+[gt]b(?:-[a-z]+)*-\d{1,2})/g, ' '],
] // prettier-ignore

/** Measures and names with many spellings, rewritten to a single one. */
const REWRITTEN: readonly Rule[] = [
  [/\b(?:2|two|zwei|deux|dos|due)[\s-]?(?:in|en)[\s-]?(?:1|one|eins|uno?)\b|\b2n1\b/g, ' 2in1 '],
  [/(?<=\b(?:latitude|precision|xps|elitebook|probook|zbook)\b.*)\bconvertible\b/g, ' 2in1 '],
  [/\b(ii|iii|iv|vi|vii|viii|ix)\b/g, (_all, roman = '') => ` ${ROMAN.indexOf(roman)} `],
  [/(?<=\b(?:laptop|pro|go|studio|carbon|book|phone|pixel|iphone)[\s,-]+)(two|three|four|five|six|seven|eight|nine)\b/g,
    (_all, number = '') => ` ${NUMBERS.indexOf(number)} `],
  [/\bspecial[\s,-]+edition\b/g, ' specialedition '],
  [/\babnehmbar\b/g, ' detachable '],
  // "10GPU": an Apple chip's cores.
  [/\b(\d{1,2})[cg]pu\b/g, ' $1core '],
  [/\b(\d{1,2})c(?:pu)?\s?[/+-]\s?(\d{1,2})c(?:[gpu]*)\b/g, ' $1core $2core '],
  [/\b(\d{3})g(\d{1,2})\b/g, ' $1 g$2 '],
  [/\b(1[1-6])(m[1-9])/g, ' $1 $2 '],
  [/\b(1[1-7](?:at|[a-e]))-([a-z]{2}\w*)/g, ' $1$2 '],
  // HP's consumer lines: the letters behind the size are the model, whether the catalogue has it or not.
  [/(?<=\b(?:pavilion|envy|spectre|omen|victus|stream|omnibook)\b.*)\b(1[0-7]t?)-(?!in\b)([a-z]{2})\b/g, ' $1$2 '],
  [/\bsurface[\s,-]*laptop/g, ' surface surfacelaptop '],
  [/\btiny[\s-]?in[\s-]?one\b|\btio\b/g, ' tinyinone '],
  [/\b(studio|pro)[\s-]?display\b/g, ' $1display '],
  [new RegExp(`\\b(?:without|ohne|sans|sin|senza|w/o|no)[\\s-]?${STAND}\\b`, 'g'), ' nostand '],
  [new RegExp(`\\b(?:with|mit|avec|con)[\\s-]?(?:pro[\\s-]|tilt[\\s-]adjustable[\\s-])*${STAND}\\b`, 'g'), ' '],
  [/\bneigungsverstellbare[rnm]?\s+standfuss\b/g, ' '],
  [/\bhohenverstellbare[rnm]?\s+standfuss\b/g, ' heightstand '],
  [/(?<=\bstudiodisplay\b.*)\bheight[\s-]adjustable[\s-]stand\b/g, ' heightstand '],
  [/\b(?:(?:tilt|height)[\s-]adjustable[\s-]|pro[\s-])stand\b/g, ' '],
  [/(?<![\d.])(\d\d)[-_ ](\d)[-_ ](?:inch|zoll|in|pouces|pulgadas|pollici)\b/g, ' $1.$2inch '],
  // Fractional diagonals in ids; none of them can be read as a size followed by memory or storage.
  [
    new RegExp(`(?<=[a-z\\d][-_])(${BROKEN_SIZES})(?=[-_\\s]|$)`, 'g'),
    (_all, size = '') => ` ${size.replace(/[-_]/, '.')}inch `,
  ],
  [/\bipad[-_ ]?pro[-_ ]?12[-_ ]?9\b/g, ' ipad pro 12.9 '],
  [/\b(surface(?:laptop|[-_ ]book)[-_ ]+[1-5])[-_ ]13[-_ ]5(?!\d)/g, ' $1 13.5inch '],
  [/\b(1[1-7][a-z]?)-([a-z]{2})0[\dx]{3}[a-z]{0,2}\b/g, ' $1$2 '],
  [/(?<=\bhp(?:\s(?:laptop|notebook))?\s)(1[1-7][a-z]?)\s([a-z]{2})0\d{3}[a-z]{1,2}\b/g, ' $1$2 '],
  [/(?<![\d.])([12])[-_ ](\d)[-_ ]?ghz\b/g, ' $1.$2ghz '],
  [/(\d(?:\.\d+)?)\s?ghz\b/g, ' $1ghz '],
  [new RegExp(`(?<![\\d.a-z])(\\d{1,2}(?:\\.\\d{1,2})?)[\\s_-]*${INCH}`, 'g'), ' $1inch '],
  [/\b(?:gen|generation|generacion|generazione)\.?[\s-]?(1[0-4]|\d)(?![\d.])(?!\s?[gt][bo]\b)\b/g, ' gen$1 '],
  [/\b(\d{1,2})[\s-]?\.?(?:st|nd|rd|th|er|e|eme|a|o)?[\s-]*(?:gen\b|genera(?:tion|cion|zione))\.?/g, ' gen$1 '],
  // Not "81ST", a machine type of Lenovo.
  [/\b(1[0-4]|[1-9])(?:st|nd|rd|th)\b/g, ' gen$1 '],
  [new RegExp(`(?<![a-z\\d])${MEMORY}\\s?(?:g[bo]\\s?)?[/+|]\\s?${STORAGE}(?!\\d)(?:\\s?g[bo])?`, 'g'), ' $1gb $2gb '],
  [/(?<![a-z0-9])(8|12|16|18|24|32|36|48|64)\s?[/+|]\s?(?=[1248]\s?t[bo]\b)/g, ' $1gb '],
  [/(?<![a-z0-9.])(\d{1,4})\s?(?:gb|gbyte|gig)(?![a-z])/g, ' $1gb '],
  [/(?<![a-z0-9.])4\s?go(?![a-z0-9])/g, ' 4gb '],
  [/(?<![a-z0-9.])(8|16|32|64|128|256|512)\s?(?:go|g)(?![a-z0-9])/g, ' $1gb '],
  [/(?<![a-z0-9.])(12|18|24|36|48|96|1000)\s?go(?![a-z0-9])/g, ' $1gb '],
  [/(?<![a-z0-9.])6\s?go(?=[\s/+-]*(?:ram\b|64|128))/g, ' 6gb '],
  [/(?<![a-z0-9.])([1248])\s?(?:tb|to|terabyte)(?![a-z0-9])/g, (_all, count = '') => ` ${Number(count) * 1024}gb `],
  [/\b(\d{2,4})\s?(?:ssd|hdd|nvme|emmc|rom)\b/g, ' $1gb '],
  [/\b(?:ssd|hdd)\s?(\d{2,4})\b/g, ' $1gb '],
  [/\b(\d{1,2})\s?ram\b|\bram\s?(\d{1,2})\b/g, ' $1$2gb '],
  [/\b(?:(\d{1,2})|(dual)|(quad)|(octa))[\s-]?(?:core|cores|kerne?n?|coeurs|nucleos|c(?=\s?[cg]pu))\b(?:\s?[cg]pu)?/g,
    (_all, count, dual, quad) => ` ${count ?? (dual ? '2' : quad ? '4' : '8')}core `],
  [new RegExp(`\\b(?:two|2|zwei|deux|dos|due)${PORTS}`, 'g'), ' 2ports '],
  [new RegExp(`\\b(?:four|4|vier|quatre|cuatro|quattro)${PORTS}`, 'g'), ' 4ports '],
  [/([a-z]\d{1,2}|\b\d{1,2}[a-z]?|pro)\+(?!\d)/g, '$1 plus '],
  [/\)\s?\+(?![a-z0-9\s])/g, ') plus '],
  [/\+\s*cellular\b/g, ' cellular '],
  [/\s\+\s/g, ' und '],
] // prettier-ignore

const apply = (text: string, rules: readonly Rule[]): string =>
  rules.reduce(
    (done, [pattern, by]) => (typeof by === 'string' ? done.replace(pattern, by) : done.replace(pattern, by)),
    text,
  )

/** Every dot except in a measure: in an id, "16.512" is memory and storage, whereas "2.8k" is a panel. */
const DOT = /(?<!(?<![a-z\d])\d{1,2}(?=\.\d(?:k|ghz|inch|in|zoll)\b))\./gi

/** Replaces the dots by hyphens in an id whose words are separated by dots. */
const hyphened = (word: string): string =>
  /^(?=.*[a-z])[a-z\d_-]+(?:\.[a-z\d_-]+){2,}$/i.test(word) ? word.replace(DOT, '-') : word

/** Lower case, no accents, one kind of inch mark, decimal points. */
function plain(text: string): string {
  const cut = text.replace(/\s+/g, ' ').slice(0, CHARACTERS_MAX).replace(/\S+/g, hyphened)
  const even = withoutMarks(cut.replace(/[™®©]+\s?/g, ' '))
    .replace(/ß/g, 'ss')
    .replace(/["“”„‟″]|''|′′|’’/g, '"')
    .replace(/^\s*"(.*)"\s*$/, '$1')
  return even.replace(/(?<![a-z\d.,])(\d{1,2}),(\d{1,2})(?!\d)/g, '$1.$2').replace(/^[a-z][-_]|_/g, ' ')
}

const IDENTIFIER = /\b(?:iphone|ipad|macbook(?:air|pro)?|mac)\d{1,2},\d{1,2}\b/gi

/** The tokens of a text: words, numbers and codes; measures as 13.6inch, gen3, 256gb, 8core, 2ports, 1.4ghz. */
export function tokenise(text: string, lexicon: MatchLexicon): readonly string[] {
  const untorn = joinNames(plain(text.replace(IDENTIFIER, ' ')), lexicon)
  const read = apply(apply(apply(untorn, TAKEN_OUT), lexicon.abbreviations), REWRITTEN)
  return read.match(/[a-z]*\d+\.\d+[a-z]*|[a-z0-9]+/g) ?? []
}

/** Apple's own device identifiers, such as `iphone14,5`, which tokenise() would split. */
export const appleIdentifiers = (text: string): readonly string[] =>
  text.match(IDENTIFIER)?.map((one) => one.toLowerCase()) ?? []

/** True if the text is longer than the part that is read; the rest may name another model. */
export const isTruncated = (text: string): boolean => text.replace(/\s+/g, ' ').trim().length > CHARACTERS_MAX

/** A letter or digit of another script, which may look like a Latin one or be part of a word that cannot be read. */
export const findNonLatin = (text: string): string | null =>
  /(?!\p{Script=Latin})\p{L}|(?!\d)\p{Nd}/u.exec(text.normalize('NFKD'))?.[0] ?? null

/** True if two words differ by one typing error: a letter added, missing, replaced, or two letters swapped. */
export function isWithinOneEdit(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1 || a === b) return false
  let from = 0
  while (from < a.length && a[from] === b[from]) from += 1
  let end = 0
  while (end < Math.min(a.length, b.length) - from && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1
  const [left, right] = [a.slice(from, a.length - end), b.slice(from, b.length - end)]
  return (left.length <= 1 && right.length <= 1) || (left.length === 2 && left === [...right].reverse().join(''))
}
