// The types of a page's content: shapes, and tags that describe them to screen readers.
import type { TextLine } from './text.ts'

/** All positions are in points from the upper left corner of the block. */
export type Shape = TextShape | BoxShape | RuleShape

export interface TextShape {
  readonly kind: 'text'
  readonly line: TextLine
  readonly x: number
  /** The y position of the text's baseline. */
  readonly baseline: number
  readonly size: number
  readonly color: string
}

/** The fill pattern of a box in addition to its colour, so that no reader has to distinguish colours. */
export type Pattern = 'solid' | 'diagonal' | 'dots' | 'horizontal'

export interface BoxShape {
  readonly kind: 'box'
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  readonly color: string
  readonly pattern: Pattern
}

export interface RuleShape {
  readonly kind: 'rule'
  readonly from: readonly [x: number, y: number]
  readonly to: readonly [x: number, y: number]
  readonly color: string
  readonly width: number
}

export type Tag = 'H1' | 'H2' | 'H3' | 'P' | 'Code' | 'Figure' | 'TR' | 'TH' | 'TD'

/** Contains either shapes or children. */
export interface Tagged {
  readonly tag: Tag
  /** The text alternative of a figure. */
  readonly alternative?: string
  /** The language of the text if it differs from the document's. */
  readonly language?: string
  /** Whether a header cell describes its row or its column. */
  readonly scope?: 'Row' | 'Column'
  readonly shapes?: readonly Shape[]
  readonly children?: readonly Tagged[]
}

/** Content that stays together on a page. */
export interface Block {
  readonly height: number
  /** Space above the block, except at the top of a page. */
  readonly gap: number
  /** Without it, the block is purely decorative. */
  readonly content?: Tagged
  /** Decoration without meaning of its own: lines and shading. */
  readonly backdrop?: readonly Shape[]
  /** Set for headings, which must never be the last block on a page. */
  readonly staysWithNext?: boolean
  /** Shared by the rows of one table. */
  readonly table?: Table
  /** Repeated above the block when the block is the first on a page: a table's header. */
  readonly repeats?: Block
  /** The block's title in the PDF reader's table of contents. */
  readonly bookmark?: string
  readonly startsPage?: boolean
}

export interface Table {
  /** Describes the table's content to screen readers. */
  readonly title: string
}
