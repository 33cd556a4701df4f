// Checks whether a JSON number keeps its value when read as an IEEE double, and describes the problem if it does not.
import type { Message } from '../engine/message.ts'
import { JSON_MESSAGES } from './messages.ts'

/** Decimal numbers of up to 15 significant digits always survive conversion to a double and back. */
const SAFE_DIGITS = 15
const CLIP_LENGTH = 40

/**
 * Undefined if reading the lexeme as a double keeps its decimal value; otherwise a message that states what would
 * happen. The comparison uses the shortest decimal form of the double, so both 0.1 and 0.30000000000000004 keep their
 * value.
 */
export function precisionLoss(lexeme: string): Message | undefined {
  if (lexeme.length <= SAFE_DIGITS && !/[eE]/.test(lexeme)) return undefined
  const read = Number(lexeme)
  const number = clip(lexeme)
  if (!Number.isFinite(read)) return JSON_MESSAGES.json_number_too_large({ number })
  const written = toScientific(lexeme)
  if (written === toScientific(String(read))) return undefined
  if (read === 0) return JSON_MESSAGES.json_number_too_small({ number })
  return JSON_MESSAGES.json_number_too_long({ number, read: String(read), max: SAFE_DIGITS })
}

/**
 * One spelling per decimal value: the significant digits without surrounding zeros, then the power of ten. The zeros
 * are trimmed in a loop because /0+$/ takes quadratic time on a long run of zeros that is not at the end.
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
