// Lays out headings, paragraphs and figures as blocks.
import type { Chart } from './charts.ts'
import { breakLines, type TextLine, type Weight } from './text.ts'
import { ASCENT, BODY_WIDTH, COLOURS, LINE_HEIGHT, SIZES } from './theme.ts'
import type { Block, Shape, Tag } from './layout.ts'

interface Setting {
  readonly size?: number
  readonly weight?: Weight
  readonly color?: string
  readonly gap?: number
  /** Longer text is truncated with an ellipsis. */
  readonly linesMax?: number
  /** The language of the text if it differs from the document's. */
  readonly language?: string | undefined
  readonly staysWithNext?: boolean
}

/** Lays out lines below each other from the top of the block. Right-to-left lines are aligned to the right. */
function setLines(lines: readonly TextLine[], size: number, color: string): Shape[] {
  return lines.map((line, at) => ({
    kind: 'text',
    line,
    x: line.isRightToLeft ? BODY_WIDTH - line.width * size : 0,
    baseline: (at * LINE_HEIGHT + ASCENT) * size,
    size,
    color,
  }))
}

export function paragraph(text: string, setting: Setting = {}, tag: Tag = 'P'): Block {
  const { size = SIZES.text, weight = 'regular', color = COLOURS.text, gap = 6 } = setting
  const lines = breakLines(text, weight, size, BODY_WIDTH, setting.linesMax)
  const shapes = setLines(lines, size, color)
  return {
    height: lines.length * size * LINE_HEIGHT,
    gap,
    staysWithNext: setting.staysWithNext ?? false,
    content: { tag, shapes, ...(setting.language ? { language: setting.language } : {}) },
  }
}

/** A chapter heading: starts a page and gets a bookmark in the PDF reader. */
export function heading(title: string): Block {
  const setting = { size: SIZES.h2, weight: 'bold', color: COLOURS.accent, gap: 26, staysWithNext: true } as const
  return { ...paragraph(title, setting, 'H2'), bookmark: title, startsPage: true }
}

/** A heading within a chapter (H3). The cover is not a chapter, so its sections have the rank of one (H2). */
export const section = (title: string, rank: 'H2' | 'H3' = 'H3'): Block =>
  paragraph(title, { size: SIZES.h3, weight: 'bold', gap: 18, staysWithNext: true }, rank)

/** A chart with a text alternative. Its table follows. */
export const figure = ({ height, shapes }: Chart, alternative: string): Block => ({
  height,
  gap: 12,
  staysWithNext: true,
  content: { tag: 'Figure', alternative, shapes },
})
