// Headings, paragraphs and figures as pieces.
import type { Chart } from './charts.ts'
import { breakLines, type TextLine, type Weight } from './text.ts'
import { ASCENT, BODY_WIDTH, COLOURS, LINE_HEIGHT, SIZES } from './theme.ts'
import type { Block, Shape, Tag } from './layout.ts'

interface Setting {
  readonly size?: number
  readonly weight?: Weight
  readonly color?: string
  readonly gap?: number
  /** What is cut ends with an ellipsis. */
  readonly linesMax?: number
  /** Of the text, where it is not the document's. */
  readonly language?: string | undefined
  readonly staysWithNext?: boolean
}

/** Lines below each other, from the top of the piece; those from right to left stand at the right. */
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

/** A chapter: it begins a page, and has its place among the reader's bookmarks. */
export function heading(title: string): Block {
  const setting = { size: SIZES.h2, weight: 'bold', color: COLOURS.accent, gap: 26, staysWithNext: true } as const
  return { ...paragraph(title, setting, 'H2'), bookmark: title, startsPage: true }
}

/** Within a chapter; on the cover, which is none, it ranks as one. */
export const section = (title: string, rank: 'H2' | 'H3' = 'H3'): Block =>
  paragraph(title, { size: SIZES.h3, weight: 'bold', gap: 18, staysWithNext: true }, rank)

/** A chart with what it shows in words; its table follows. */
export const figure = ({ height, shapes }: Chart, alternative: string): Block => ({
  height,
  gap: 12,
  staysWithNext: true,
  content: { tag: 'Figure', alternative, shapes },
})
