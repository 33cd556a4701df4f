// Texts that people and programs write where a serial number is missing. Each would merge different devices into one.

/**
 * Placeholders in English, German, French, Spanish and Italian, and those that firmware and inventory programs report.
 * Letters and digits only, in lower case and without accents: as `keyOf` writes them.
 */
const PLACEHOLDERS: ReadonlySet<string> = new Set(
  `
  na none null nil nan empty blank undefined unknown unspecified unavailable unassigned invalid missing pending
  notavailable notapplicable notspecified notprovided notassigned notset notpresent notknown notfound nodata novalue
  noserial noserialnumber noserialno nosn nosno notag noassettag noasset noid nonumber
  tbd tba tbc tobedetermined tobedefined tobeannounced tobeconfirmed tobefilled tobefilledbyoem tobefilledbyoems
  filledbyoem oem defaultstring default notdefined placeholder dummy seebelow seelabel
  serial serialno serialnumber serialnumberhere systemserialnumber chassisserialnumber baseboardserialnumber
  boardserialnumber systemserial assettag assetnumber noassetinformation noassetinfo servicetag
  123456789 0123456789 1234567890

  keine keiner keines kein ohne leer unbekannt nichtbekannt nichtvorhanden nichtangegeben nichtverfugbar
  nichtzutreffend entfallt fehlt fehlend offen folgt keineangabe keineangaben nichtzugewiesen nichtgesetzt
  keineseriennummer keineseriennr keinesn ohneseriennummer ohneseriennr ohnesn seriennummer seriennr wirdnachgereicht
  platzhalter

  aucun aucune inconnu inconnue neant vide nonrenseigne nonrenseignee nonconnu nondisponible nonapplicable nondefini
  nonprecise nonspecifie sansobjet sans sansnumero sansnumerodeserie sansnserie pasdenumero
  pasdenumerodeserie aucunnumerodeserie numerodeserie nserie adefinir arenseigner acompleter manquant indisponible

  ninguno ninguna desconocido desconocida vacio nodisponible noaplica nodefinido noespecificado sinnumero
  sinnumerodeserie sinserie sinsn sindatos nohay pendiente pordefinir porconfirmar nserieno

  nessuno nessuna sconosciuto sconosciuta ignoto vuoto nondisponibile nonapplicabile nonassegnato nondefinito nonnoto
  nonspecificato nonpresente senzanumero senzanumerodiserie senzaseriale seriale numerodiserie numeroseriale
  matricola mancante dadefinire daconfermare inattesa
  `
    .trim()
    .split(/\s+/),
)

/** Abbreviations that are placeholders only with a mark between their letters, like "k.A.", "S/O" or "n.d.". */
const ABBREVIATIONS: ReadonlySet<string> = new Set(['ka', 'nv', 'so', 'sn', 'nc', 'nr', 'nd'])
const HAS_INNER_MARK = /\p{L}\s?[./\\-]\s?\p{L}/u

const SEPARATORS = /[\s./\\_:-]/g

/** A repeated letter is a placeholder from this many characters: "AAA" may be a short id. */
const LETTERS_MIN = 4
/** A repeated digit from this many: devices may be numbered, as far as "55555". */
const DIGITS_MIN = 6

/** The letters and digits of a text in lower case, without accents: "N/A" and "n.a." are alike. */
const keyOf = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')

/**
 * True for a text that stands for a missing serial number, such as "N/A", "-", "To be filled by O.E.M." or "0000".
 * Case, accents, white space and punctuation are ignored. Placeholders are the texts of the list, texts without any
 * letter or digit, and texts that repeat one character: 0 at any length, another digit from six times on, a letter from
 * four times on, an X from twice on. So "A", "7", "AAA" and "55555" are serial numbers, because small fleets number
 * their devices like that.
 */
export function isPlaceholderSerialNumber(serialNumber: string): boolean {
  // Nearly all serial numbers end here: no placeholder has a letter and a digit other than 0.
  if (/[1-9]/.test(serialNumber) && /[A-Za-z]/.test(serialNumber)) return false
  const key = keyOf(serialNumber)
  if (key === '' || PLACEHOLDERS.has(key)) return true
  return isRepeated(key, serialNumber) || (ABBREVIATIONS.has(key) && HAS_INNER_MARK.test(serialNumber))
}

/**
 * True if one character is repeated, also with separators between, as in "000-000".
 * @param key the letters and digits of the serial number
 */
function isRepeated(key: string, serialNumber: string): boolean {
  const first = String.fromCodePoint(key.codePointAt(0)!)
  if (!key.endsWith(first)) return false
  const times = key.length / first.length
  if (key !== first.repeat(times) || serialNumber.replace(SEPARATORS, '').length !== key.length) return false
  if (first === '0' || (first === 'x' && times > 1)) return true
  return times >= (/\p{N}/u.test(first) ? DIGITS_MIN : LETTERS_MIN)
}
