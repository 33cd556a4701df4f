// What a page is made of: shapes with the tags that tell a screen reader what they are.
import type { TextLine } from './text.ts'

/** All positions in points from the upper left corner of the piece. */
export type Shape = TextShape | BoxShape | RuleShape

export interface TextShape {
  readonly kind: 'text'
  readonly line: TextLine
  readonly x: number
  /** Of the line that letters stand on. */
  readonly baseline: number
  readonly size: number
  readonly color: string
}

/** How a box is filled beside its colour, so that no reader needs to tell colours apart. */
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

/** Either has shapes or children. */
export interface Tagged {
  readonly tag: Tag
  /** What a figure shows, in words. */
  readonly alternative?: string
  /** Of the text, where it is not the document's. */
  readonly language?: string
  /** What a header cell heads. */
  readonly scope?: 'Row' | 'Column'
  readonly shapes?: readonly Shape[]
  readonly children?: readonly Tagged[]
}

/** What stays together on a page. */
export interface Block {
  readonly height: number
  /** Space above it, except at the top of a page. */
  readonly gap: number
  /** Without it, the piece is there for the eye alone. */
  readonly content?: Tagged
  /** What means nothing by itself: lines, shades. */
  readonly backdrop?: readonly Shape[]
  /** For headings: never the last of a page. */
  readonly staysWithNext?: boolean
  /** The rows of one table share it. */
  readonly table?: Table
  /** What stands above it where it comes first on a page: a table's header, once more. */
  readonly repeats?: Block
  /** As which the reader's list of contents shows it. */
  readonly bookmark?: string
  readonly startsPage?: boolean
}

export interface Table {
  /** What it holds, for who cannot see it. */
  readonly title: string
}
