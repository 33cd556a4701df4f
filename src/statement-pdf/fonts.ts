// The fonts of a statement, embedded in it, and which of them has a character.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import * as fontkit from 'fontkit'

export type Weight = 'regular' | 'bold'

/** One font file, known to the PDF by its name. */
export interface FontFace {
  readonly name: string
  /** What pdfkit draws with. */
  readonly source: fontkit.Font
  has(codePoint: number): boolean
  /** Width at one point of size, in points. */
  widthOf(text: string): number
}

/** For a character that no font here has. DejaVu has it, as a test shows. */
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

/** Latin, Greek, Cyrillic and punctuation: one character is one glyph, whatever stands beside it. */
const PLAIN =
  /^[\u0020-\u007e\u00a0-\u02ff\u0370-\u0482\u048a-\u052f\u1e00-\u1fff\u2010-\u2027\u2030-\u205e\u2070-\u218f\u2212]*$/

/** Whether it needs no shaping, no reordering and no second font, as far as `face` has its characters. */
export const isPlainLatin = (text: string, face: FontFace): boolean => PLAIN.test(text) && coversText(text, face)

export function coversText(text: string, face: FontFace): boolean {
  for (const character of text) if (!face.has(character.codePointAt(0)!)) return false
  return true
}

const loaded: Partial<Record<Weight, readonly FontFace[]>> = {}

/** The fonts of a weight, in the sequence in which they are asked for a character; read once. */
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
      const found = known.get(codePoint) ?? font.hasGlyphForCodePoint(codePoint)
      known.set(codePoint, found)
      return found
    },
    widthOf: (text) => source.layout(text).advanceWidth / font.unitsPerEm,
  }
}

/**
 * Kerning a list of 50,000 serial numbers takes longer than everything else together, so plain text is set glyph by
 * glyph. What needs shaping (Arabic, say) is still shaped.
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
    // Made anew each time, since pdfkit scales them in place.
    const positions = run.map(({ advanceWidth }) => ({ xAdvance: advanceWidth, yAdvance: 0, xOffset: 0, yOffset: 0 }))
    return { glyphs: run, positions, advanceWidth: run.reduce((sum, { advanceWidth }) => sum + advanceWidth, 0) }
  }
  const layout: fontkit.Font['layout'] = (text, ...how) =>
    PLAIN.test(text) ? (layoutPlain(text) as fontkit.GlyphRun) : font.layout(text, ...how)
  return Object.assign(Object.create(font) as fontkit.Font, { layout })
}
