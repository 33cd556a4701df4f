// The theme of a statement: paper, type sizes, text and bar colours with a contrast of at least 3:1, and languages.
import type { Part } from '../engine/numbers/emission.ts'
import type { Pattern } from './layout.ts'
import { GERMAN } from './messages-de.ts'
import { ENGLISH, type Messages } from './messages-en.ts'

export const LANGUAGES = ['en', 'de'] as const
export type Language = (typeof LANGUAGES)[number]

export const MESSAGES: Readonly<Record<Language, Messages>> = { en: ENGLISH, de: GERMAN }

/** A4, in points. */
export const PAPER = { width: 595.28, height: 841.89, left: 54, right: 54, top: 64, bottom: 60 } as const
export const BODY_WIDTH = PAPER.width - PAPER.left - PAPER.right
export const BODY_HEIGHT = PAPER.height - PAPER.top - PAPER.bottom

export const SIZES = { title: 24, total: 32, h2: 16, h3: 11.5, text: 10, table: 8.5, small: 8 } as const
/** Relative to the type size. */
export const LINE_HEIGHT = 1.36
/** Distance of the baseline from the top of its line, relative to the type size. */
export const ASCENT = 1.02

export const COLOURS = {
  text: '#1b1f24',
  quiet: '#57606a',
  rule: '#8c959f',
  faint: '#d0d7de',
  shade: '#f3f5f8',
  accent: '#0b4f6c',
} as const

export interface Fill {
  readonly color: string
  readonly pattern: Pattern
}

/** Every chart uses the same fill for a part. The patterns distinguish parts without colour. */
export const PART_PATTERNS: Readonly<Record<Part, Fill>> = {
  product_embodied_emission: { color: '#0b4f6c', pattern: 'solid' },
  product_use: { color: '#b45309', pattern: 'diagonal' },
  transportation: { color: '#15803d', pattern: 'horizontal' },
  packaging: { color: '#7e57a0', pattern: 'dots' },
}
/** For charts whose bars are distinguished by their names. */
export const PLAIN_FILL: Fill = { color: '#0b4f6c', pattern: 'solid' }
