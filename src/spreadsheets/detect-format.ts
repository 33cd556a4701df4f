// Detects format, encoding and delimiter from the first bytes of a file, and names unsupported formats.
import { isAscii } from 'node:buffer'
import type { Message } from '../engine/message.ts'
import type { Problem } from '../engine/order.ts'
import { withSuggestions } from '../engine/reference/suggestions.ts'
import { isBlank } from './cells.ts'
import { COLUMNS_MAX } from './limits.ts'
import { EVIDENCE_MESSAGES, FILE_MESSAGES, SETTING_MESSAGES, shownValue } from './messages.ts'
import { readCsvText } from './read-csv.ts'
import type { Row } from './row.ts'
import { DELIMITER_NAMES, DELIMITERS, ENCODINGS, type Delimiter, type Encoding, type Format } from './settings.ts'

/** The first bytes of each unsupported kind of file. */
const STARTS: readonly (readonly [string, RegExp])[] = [
  ['PNG', /^\x89PNG/],
  ['JPEG', /^\xff\xd8\xff/],
  ['GIF', /^GIF8/],
  ['PDF', /^%PDF-/],
  ['gzip', /^\x1f\x8b/],
  ['7z', /^7z\xbc\xaf/],
  ['RAR', /^Rar!/],
  ['RTF', /^\{\\rtf/],
  ['HTML', /^(?:\xef\xbb\xbf)?\s*<(?:!doctype html|html|head|body|table)\b/i],
  ['XML', /^(?:\xef\xbb\xbf)?\s*<\?xml\b/],
]

const LOOKED_AT = 1000
/** Text contains control characters only in cells that a program wrote incorrectly. */
const CONTROLS_SHARE_MAX = 0.1

/** Why the format is not supported; null if the file may contain cells or JSON. */
function unsupportedFormat(head: Buffer): Message | null {
  const start = head.toString('latin1', 0, LOOKED_AT)
  const [type] = STARTS.find(([, begins]) => begins.test(start)) ?? []
  if (type !== undefined) return FILE_MESSAGES.file_type_unsupported({ type })
  return !isUtf16(head) && controlsShare(start) > CONTROLS_SHARE_MAX ? FILE_MESSAGES.file_not_text() : null
}

/** Recognised by its byte order mark, or by one of the first two bytes being zero. */
const isUtf16 = ([first, second]: Buffer): boolean =>
  (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff) || (first === 0) !== (second === 0)

const controlsShare = (text: string): number => (text.match(/[\0-\x08\x0e-\x1f]/g) ?? []).length / text.length

/** A setting with the evidence for it, or the problem with it. */
export type Detection<Value> =
  | { readonly ok: true; readonly value: Value; readonly because: Message }
  | { readonly ok: false; readonly problem: Problem }

export const detected = <Value>(value: Value, because: Message): Detection<Value> => ({ ok: true, value, because })
export const rejected = (setting: string, message: Message, suggestions: readonly string[] = []): Detection<never> => ({
  ok: false,
  problem: withSuggestions({ path: `/${setting}`, ...message }, suggestions),
})
export const AS_REQUESTED = EVIDENCE_MESSAGES.as_requested()

/** The format is detected from the content, because file names may be wrong. */
export function detectFormat(head: Buffer, asked: Format | undefined): Detection<Format> {
  const detected = formatOf(head)
  if (!detected.ok || asked === undefined || asked === detected.value) return detected
  const params = { asked, because: detected.because }
  return rejected('format', SETTING_MESSAGES.setting_contradicted(params), [detected.value])
}

function formatOf(head: Buffer): Detection<Format> {
  if (head.length === 0) return rejected('format', FILE_MESSAGES.file_empty())
  if (startsWith(head, [0x50, 0x4b, 3, 4])) return detected('xlsx', EVIDENCE_MESSAGES.starts_like_zip())
  if (startsWith(head, [0xd0, 0xcf, 0x11, 0xe0])) return rejected('format', FILE_MESSAGES.file_is_xls())
  const other = unsupportedFormat(head)
  if (other !== null) return rejected('format', other)
  const first = /[^\s\0\ufeff\u00ef\u00bb\u00bf\u00ff\u00fe]/.exec(head.toString('latin1', 0, 1000))?.[0]
  if (first === undefined) return rejected('format', FILE_MESSAGES.file_blank())
  if (first === '[') return rejected('format', FILE_MESSAGES.file_is_json_array())
  return first === '{'
    ? detected('jsonl', EVIDENCE_MESSAGES.starts_with_brace())
    : detected('csv', EVIDENCE_MESSAGES.starts_like_text())
}

const startsWith = (bytes: Buffer, start: readonly number[]): boolean => start.every((byte, at) => bytes[at] === byte)

const MARKS: readonly (readonly [Encoding, readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
]

/** Valid UTF-8 is taken as UTF-8. Anything else may be one of many encodings, so it must be specified. */
export function detectEncoding(head: Buffer, asked: Encoding | undefined): Detection<Encoding> {
  const told = encodingOf(head)
  if (asked === undefined) return told ? detected(...told) : unknownEncoding(head)
  if (!told || told[0] === asked || told[1] === PLAIN) {
    return asked.startsWith('utf-16') && told?.[0] !== asked ? notUtf16(asked) : detected(asked, AS_REQUESTED)
  }
  const [encoding, because] = told
  const message =
    because === VALID
      ? SETTING_MESSAGES.encoding_contradicted({ asked, because, ...exampleOf(head, 'utf-8', asked) })
      : SETTING_MESSAGES.setting_contradicted({ asked, because })
  return rejected('encoding', message, [encoding])
}

const PLAIN = EVIDENCE_MESSAGES.start_is_ascii()
const VALID = EVIDENCE_MESSAGES.start_is_utf8()

function encodingOf(head: Buffer): readonly [Encoding, Message] | null {
  const marked = MARKS.find(([, mark]) => startsWith(head, mark))
  if (marked) return [marked[0], EVIDENCE_MESSAGES.byte_order_mark({ encoding: marked[0] })]
  const [first, second] = head
  if (first === 0 && second !== 0) return ['utf-16be', EVIDENCE_MESSAGES.first_byte_zero()]
  if (first !== 0 && second === 0) return ['utf-16le', EVIDENCE_MESSAGES.second_byte_zero()]
  if (isAscii(head)) return ['utf-8', PLAIN]
  return isUtf8Start(head) ? ['utf-8', VALID] : null
}

const notUtf16 = (asked: Encoding): Detection<never> =>
  rejected(
    'encoding',
    SETTING_MESSAGES.setting_contradicted({ asked, because: EVIDENCE_MESSAGES.no_byte_order_mark() }),
  )

/** True if these bytes are UTF-8, apart from a possibly truncated last character. */
function isUtf8Start(bytes: Buffer): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
    return true
  } catch {
    return false
  }
}

function unknownEncoding(head: Buffer): Detection<never> {
  const message = SETTING_MESSAGES.encoding_unknown(exampleOf(head, 'windows-1252', 'utf-8'))
  return rejected('encoding', message, ['windows-1252', ...ENCODINGS.filter((one) => one === 'windows-1250')])
}

/** Shows the first word that differs between two encodings, as read in both. */
function exampleOf(head: Buffer, one: Encoding, other: Encoding) {
  const at = one === 'utf-8' || other !== 'utf-8' ? head.findIndex((byte) => byte >= 0x80) : firstBadByte(head)
  const [from, to] = [wordStart(head, at), wordEnd(head, at)]
  const read = (encoding: Encoding) => shownValue(new TextDecoder(encoding).decode(head.subarray(from, to)))
  const line = head.subarray(0, at).filter((byte) => byte === 0x0a).length + 1
  return { line, one, first: read(one), other, second: read(other) }
}

const isWordByte = (byte: number | undefined): boolean =>
  byte !== undefined && (byte >= 0x80 || /[A-Za-z]/.test(String.fromCharCode(byte)))

function wordStart(bytes: Buffer, at: number): number {
  let start = at
  while (start > 0 && at - start < 20 && isWordByte(bytes[start - 1])) start -= 1
  return start
}

function wordEnd(bytes: Buffer, at: number): number {
  let end = at + 1
  while (end < bytes.length && end - at < 20 && isWordByte(bytes[end])) end += 1
  return end
}

/** The first byte that is invalid in UTF-8, found by bisection. */
function firstBadByte(bytes: Buffer): number {
  let [good, bad] = [0, bytes.length]
  while (bad - good > 1) {
    const middle = (good + bad) >> 1
    if (isUtf8Start(bytes.subarray(0, middle))) good = middle
    else bad = middle
  }
  return good
}

/** The first line with which Excel is told the delimiter: `sep=;`. */
export const separatorLineOf = (text: string): string | null => /^"?sep=[^\r\n]"?(?=[\r\n]|$)/i.exec(text)?.[0] ?? null

export interface HeaderReader {
  /** Selects the header among the first rows. */
  readonly headerOf: (rows: readonly Row[]) => readonly string[]
  /** Whether a header belongs to a column of orders. */
  readonly isKnown: (header: string) => boolean
}

/** Selects the delimiter that the file states, or that yields the most known headers. */
export async function detectDelimiter(
  text: string,
  encoding: Encoding,
  asked: Delimiter | undefined,
  { headerOf, isKnown }: HeaderReader,
): Promise<Detection<Delimiter>> {
  const line = separatorLineOf(text)
  const stated = DELIMITERS.find((delimiter) => line?.toLowerCase().includes(`=${delimiter}`))
  if (stated !== undefined && (asked ?? stated) === stated)
    return detected(stated, EVIDENCE_MESSAGES.separator_line({ line: shownValue(line!) }))
  const tries = await Promise.all(
    DELIMITERS.map(async (delimiter) => {
      const header = headerOf(await firstRows(text, encoding, delimiter, line === null ? 1 : 2))
      return { delimiter, cells: header.length, known: header.slice(0, COLUMNS_MAX).filter(isKnown).length }
    }),
  )
  tries.sort((a, b) => b.known - a.known || b.cells - a.cells)
  const [best] = tries
  const because = EVIDENCE_MESSAGES.delimiter_splits_header({ cells: best!.cells, known: best!.known })
  const ofAsked = tries.find(({ delimiter }) => delimiter === asked)
  if (!ofAsked) return detected(best!.delimiter, because)
  if (ofAsked.known >= best!.known) return detected(ofAsked.delimiter, AS_REQUESTED)
  const [found, wrong] = [DELIMITER_NAMES[best!.delimiter], DELIMITER_NAMES[ofAsked.delimiter]]
  const message = SETTING_MESSAGES.delimiter_contradicted({ found, asked: wrong, because })
  return rejected('delimiter', message, [best!.delimiter])
}

/** The first rows with content, from a row on. */
async function firstRows(
  text: string,
  encoding: Encoding,
  delimiter: Delimiter,
  from: number,
): Promise<readonly Row[]> {
  for await (const rows of readCsvText(decodeText(text), encoding, delimiter))
    return rows.filter(({ number, cells }) => number >= from && !cells.every(isBlank))
  return []
}

/** A text in memory as a stream for the readers. */
export async function* decodeText(text: string): AsyncGenerator<string> {
  yield await Promise.resolve(text)
}
