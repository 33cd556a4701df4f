// Tells whether a number written in JSON survives being read as an IEEE double, and what is wrong when it does not.

/** Decimal numbers of up to 15 significant digits always come back from a double as they were written. */
const SAFE_DIGITS = 15
const CLIP_LENGTH = 40

/**
 * Undefined when reading the lexeme as a double keeps its decimal value; else a sentence saying what would happen.
 * The value kept is the one a double shows in its shortest form, so 0.1 and 0.30000000000000004 both survive.
 */
export function precisionLoss(lexeme: string): string | undefined {
  if (lexeme.length <= SAFE_DIGITS && !/[eE]/.test(lexeme)) return undefined
  const read = Number(lexeme)
  if (!Number.isFinite(read)) return `${clip(lexeme)} is larger than a JSON number can carry; send a smaller number`
  const written = toScientific(lexeme)
  if (written === toScientific(String(read))) return undefined
  if (read === 0) return `${clip(lexeme)} is smaller than a JSON number can carry (it would be read as 0); send 0`
  return (
    `${clip(lexeme)} has more digits than a JSON number carries reliably (it would be read as ${read}); ` +
    `send at most ${SAFE_DIGITS} significant digits`
  )
}

/**
 * One spelling for every decimal value: its significant digits without zeros around them, then the power of ten.
 * The zeros are trimmed by hand, since /0+$/ takes quadratic time on a long run of zeros that is not at the end.
 */
function toScientific(lexeme: string): string {
  const unsigned = lexeme.startsWith('-') ? lexeme.slice(1) : lexeme
  const [mantissa = '', power = '0'] = unsigned.split(/[eE]/)
  const [whole = '', fraction = ''] = mantissa.split('.')
  const digits = whole + fraction
  let first = 0
  while (digits[first] === '0') first += 1
  let end = digits.length
  while (end > first && digits[end - 1] === '0') end -= 1
  if (end === first) return '0'
  return `${digits.slice(first, end)}e${Number(power) - fraction.length + (digits.length - end)}`
}

function clip(lexeme: string): string {
  return lexeme.length <= CLIP_LENGTH ? lexeme : `${lexeme.slice(0, CLIP_LENGTH)}…`
}
