// Text layout: embedded fonts, and text broken into lines and runs in visual order.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import bidiFactory from 'bidi-js'
import * as fontkit from 'fontkit'

export type Weight = 'regular' | 'bold'

/** One font file, identified in the PDF by its name. */
export interface FontFace {
  readonly name: string
  /** The font object that pdfkit draws with. */
  readonly source: fontkit.Font
  has(codePoint: number): boolean
  /** Width in points at a size of one point. */
  widthOf(text: string): number
}

/** Replaces a character that no font here contains. A test shows that DejaVu contains this one. */
export const REPLACEMENT_CHARACTER = '□'

const FILES: Readonly<Record<Weight, readonly string[]>> = {
  regular: [
    '@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf',
    'dejavu-fonts-ttf/ttf/DejaVuSansCondensed.ttf',
  ],
  bold: [
    '@expo-google-fonts/noto-sans/700Bold/NotoSans_700Bold.ttf',
    'dejavu-fonts-ttf/ttf/DejaVuSansCondensed-Bold.ttf',
  ],
}

/** Latin, Greek, Cyrillic and punctuation: each character is one glyph regardless of its neighbours. */
const PLAIN =
  /^[\u0020-\u007e\u00a0-\u02ff\u0370-\u0482\u048a-\u052f\u1e00-\u1fff\u2010-\u2027\u2030-\u205e\u2070-\u218f\u2212]*$/

/** True if the text needs no shaping, no reordering and no second font. */
const isPlainLatin = (text: string, face: FontFace): boolean => PLAIN.test(text) && coversText(text, face)

function coversText(text: string, face: FontFace): boolean {
  for (const character of text) if (!face.has(character.codePointAt(0)!)) return false
  return true
}

const loaded: Partial<Record<Weight, readonly FontFace[]>> = {}

/** The fonts of a weight, in the order in which they are searched for a character. Each file is read once. */
export function fontFaces(weight: Weight): readonly FontFace[] {
  return (loaded[weight] ??= FILES[weight].map(loadFace))
}

function loadFace(path: string): FontFace {
  const font = fontkit.create(readFileSync(createRequire(import.meta.url).resolve(path))) as fontkit.Font
  const known = new Map<number, boolean>()
  const source = layingOutPlainTextFast(font)
  return {
    name: font.postscriptName,
    source,
    has(codePoint) {
      const isKnown = known.get(codePoint) ?? font.hasGlyphForCodePoint(codePoint)
      known.set(codePoint, isKnown)
      return isKnown
    },
    widthOf: (text) => source.layout(text).advanceWidth / font.unitsPerEm,
  }
}

/**
 * Kerning a list of 50,000 serial numbers takes longer than all other work together, so plain text is set glyph by
 * glyph. Text that needs shaping, such as Arabic, is still shaped.
 */
function layingOutPlainTextFast(font: fontkit.Font): fontkit.Font {
  const glyphs = new Map<string, fontkit.Glyph>()
  const glyphOf = (character: string): fontkit.Glyph => {
    const glyph = glyphs.get(character) ?? font.glyphForCodePoint(character.codePointAt(0)!)
    glyphs.set(character, glyph)
    return glyph
  }
  const layoutPlain = (text: string) => {
    const run = Array.from(text, glyphOf)
    // Created anew for each call because pdfkit scales the positions in place.
    const positions = run.map(({ advanceWidth }) => ({ xAdvance: advanceWidth, yAdvance: 0, xOffset: 0, yOffset: 0 }))
    return { glyphs: run, positions, advanceWidth: run.reduce((sum, { advanceWidth }) => sum + advanceWidth, 0) }
  }
  const layout: fontkit.Font['layout'] = (text, ...how) =>
    PLAIN.test(text) ? (layoutPlain(text) as fontkit.GlyphRun) : font.layout(text, ...how)
  return Object.assign(Object.create(font) as fontkit.Font, { layout })
}

/** Text drawn with one font in one direction. */
export interface TextRun {
  readonly text: string
  readonly face: FontFace
  /** At a size of one point. */
  readonly width: number
}

/** A line with its runs from left to right, and its width at a size of one point. */
export interface TextLine {
  readonly runs: readonly TextRun[]
  readonly width: number
  /** The original text if the drawn text differs from it in order or by replaced characters. */
  readonly reads?: string
  readonly isRightToLeft: boolean
}

interface Cluster extends TextRun {
  readonly reads: string
}

/** The package's types describe a module with a default export, but Node loads the function itself. */
const bidi = (bidiFactory as unknown as typeof bidiFactory.default)()
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })
/** Control, private, unassigned and direction characters, and lone surrogates: they are not drawn as themselves. */
const UNSEEN = /[\p{Cc}\p{Cs}\p{Co}\p{Cn}]|(?![\u200c\u200d\u00ad])\p{Cf}|[\u2028\u2029]/u
/** Stacked marks would overlap the lines above and below. */
const PILED_MARKS = /(\p{Mn}.*){5}/su
const BREAK_BEHIND = /[ \u2010\u2012-\u2014/_;@|-]$/u
/** Not within a number. */
const BREAK_BEHIND_UNLESS_DIGIT = /[.,:]$/u
const ELLIPSIS = '…'

/** Converts white space to single spaces. All other characters stay and are drawn or replaced later. */
const flatten = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\t\n\r\v\f ]+/g, ' ')
    .trim()

/**
 * @param width in points, for text of `size` points
 * @param linesMax longer text is truncated with an ellipsis
 */
export function breakLines(text: string, weight: Weight, size: number, width: number, linesMax = Infinity): TextLine[] {
  const flat = flatten(text)
  const [first] = fontFaces(weight)
  if (isPlainLatin(flat, first!)) {
    const whole = first!.widthOf(flat)
    if (whole * size <= width) {
      return [{ runs: [{ text: flat, face: first!, width: whole }], width: whole, isRightToLeft: false }]
    }
  }
  const clusters = clustersOf(flat, fontFaces(weight))
  const isRightToLeft = ((bidi.getEmbeddingLevels(flat).paragraphs[0]?.level ?? 0) & 1) === 1
  return cutInto(clusters, width / size, linesMax).map((part) => reorder(part, isRightToLeft))
}

/** The text on one line, regardless of its width. */
export const layoutSingleLine = (text: string, weight: Weight): TextLine => breakLines(text, weight, 1, Infinity, 1)[0]!

function clustersOf(text: string, faces: readonly FontFace[]): Cluster[] {
  return Array.from(graphemes.segment(text), ({ segment }) => clusterOf(segment, faces))
}

function clusterOf(segment: string, faces: readonly FontFace[]): Cluster {
  const isUnseen = UNSEEN.test(segment) || PILED_MARKS.test(segment)
  const face = isUnseen ? undefined : faces.find((one) => coversText(segment, one))
  if (face) return { text: segment, face, width: face.widthOf(segment), reads: segment }
  const other = faces.find((one) => coversText(REPLACEMENT_CHARACTER, one))!
  const reads = isUnseen ? REPLACEMENT_CHARACTER : segment
  return { text: REPLACEMENT_CHARACTER, face: other, width: other.widthOf(REPLACEMENT_CHARACTER), reads }
}

/** Lines of at most `width`, broken after spaces and certain characters, or anywhere if there are none. */
function cutInto(clusters: readonly Cluster[], width: number, linesMax: number): Cluster[][] {
  const lines: Cluster[][] = []
  let start = 0
  while (start < clusters.length || lines.length === 0) {
    const end = endOfLine(clusters, start, width)
    if (lines.length + 1 === linesMax && end < clusters.length) {
      return [...lines, shorten(clusters.slice(start), width)]
    }
    lines.push(trimEnd(clusters.slice(start, end)))
    if (clusters.length === 0) break
    start = end
    while (start < clusters.length && clusters[start]!.text === ' ') start++
  }
  return lines
}

function endOfLine(clusters: readonly Cluster[], start: number, width: number): number {
  let room = width
  let breakAt = start
  for (let at = start; at < clusters.length; at++) {
    const { text, width: wide } = clusters[at]!
    room -= wide
    if (room < 0 && text !== ' ') return breakAt > start ? breakAt : Math.max(at, start + 1)
    if (mayBreak(text, clusters[at + 1]?.text ?? '')) breakAt = at + 1
  }
  return clusters.length
}

const mayBreak = (text: string, next: string): boolean =>
  BREAK_BEHIND.test(text) || (BREAK_BEHIND_UNLESS_DIGIT.test(text) && !/^\d/.test(next))

function shorten(clusters: readonly Cluster[], width: number): Cluster[] {
  const [{ face }] = [clusters[0]!]
  const ellipsis = { text: ELLIPSIS, face, width: face.widthOf(ELLIPSIS), reads: ELLIPSIS }
  let room = width - ellipsis.width
  const end = clusters.findIndex(({ width: wide }) => (room -= wide) < 0)
  return [...trimEnd(clusters.slice(0, end === -1 ? undefined : end)), ellipsis]
}

function trimEnd(clusters: Cluster[]): Cluster[] {
  while (clusters.at(-1)?.text === ' ') clusters.pop()
  return clusters
}

/** Reorders by the Unicode bidirectional algorithm, with the direction of the complete text. */
function reorder(clusters: readonly Cluster[], isRightToLeft: boolean): TextLine {
  const drawn = clusters.map(({ text }) => text).join('')
  const { levels } = bidi.getEmbeddingLevels(drawn, isRightToLeft ? 'rtl' : 'ltr')
  let at = 0
  const leveled = clusters.map((cluster) => {
    const level = levels[at] ?? 0
    at += cluster.text.length
    return { ...cluster, level }
  })
  const runs = mergeRuns(inSequence(leveled))
  const width = runs.reduce((sum, run) => sum + run.width, 0)
  const reads = clusters.map((cluster) => cluster.reads).join('')
  const isAsRead = runs.map(({ text }) => text).join('') === reads && leveled.every(({ level }) => level === 0)
  return { runs, width, isRightToLeft, ...(isAsRead ? {} : { reads }) }
}

interface Leveled extends Cluster {
  readonly level: number
}

/** Rule L2: from the highest level down, each sequence of clusters at that level or above is reversed. */
function inSequence(clusters: readonly Leveled[]): readonly Leveled[] {
  const sequence = [...clusters]
  for (let level = Math.max(0, ...clusters.map((one) => one.level)); level > 0; level--) {
    for (let start = 0; start < sequence.length; start++) {
      let end = start
      while (end < sequence.length && sequence[end]!.level >= level) end++
      sequence.splice(start, end - start, ...sequence.slice(start, end).reverse())
      start = Math.max(start, end)
    }
  }
  return sequence
}

/** Merges neighbours with the same font and direction into one run. */
function mergeRuns(sequence: readonly Leveled[]): TextRun[] {
  const merged: Leveled[][] = []
  for (const cluster of sequence) {
    const last = merged.at(-1)
    if (last && last[0]!.face === cluster.face && last[0]!.level === cluster.level) last.push(cluster)
    else merged.push([cluster])
  }
  return merged.map((those) => {
    const { face } = those[0]!
    const text = runText(those)
    return { text, face, width: face.widthOf(text) }
  })
}

/** Text in the order a font expects: runs that contain right-to-left letters are in logical order. */
function runText(clusters: readonly Leveled[]): string {
  if ((clusters[0]!.level & 1) === 0) return clusters.map(({ text }) => text).join('')
  const shown = clusters.map(({ text }) => bidi.getMirroredCharacter(text) ?? text)
  return (shown.some(isRightToLeftLetter) ? shown.reverse() : shown).join('')
}

const isRightToLeftLetter = (text: string): boolean => ['R', 'AL'].includes(bidi.getBidiCharTypeName(text))
