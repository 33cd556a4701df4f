// What people send by mistake in place of a table: called by its name, rather than asked about as if it were text.

/** How files of each kind begin. */
const STARTS: readonly (readonly [string, RegExp])[] = [
  ['a PNG image', /^\x89PNG/],
  ['a JPEG image', /^\xff\xd8\xff/],
  ['a GIF image', /^GIF8/],
  ['a PDF', /^%PDF-/],
  ['packed by gzip', /^\x1f\x8b/],
  ['a 7z archive', /^7z\xbc\xaf/],
  ['a RAR archive', /^Rar!/],
  ['a text document (RTF)', /^\{\\rtf/],
  ['a web page (HTML)', /^(?:\xef\xbb\xbf)?\s*<(?:!doctype html|html|head|body|table)\b/i],
  ['XML', /^(?:\xef\xbb\xbf)?\s*<\?xml\b/],
]

const LOOKED_AT = 1000
/** Of text there are none, but for a cell that a program wrote wrongly. */
const CONTROLS_SHARE_MAX = 0.1

/** What a file is called that is no text of cells or JSON; null for what may be one. */
export function unsupportedFormat(head: Buffer): string | null {
  const start = head.toString('latin1', 0, LOOKED_AT)
  const [kind] = STARTS.find(([, begins]) => begins.test(start)) ?? []
  if (kind !== undefined) return kind
  return !isUtf16(head) && controlsShare(start) > CONTROLS_SHARE_MAX ? 'no text' : null
}

/** By its byte order mark, or as one of its first two bytes is zero. */
const isUtf16 = ([first, second]: Buffer): boolean =>
  (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff) || (first === 0) !== (second === 0)

const controlsShare = (text: string): number => (text.match(/[\0-\x08\x0e-\x1f]/g) ?? []).length / text.length
