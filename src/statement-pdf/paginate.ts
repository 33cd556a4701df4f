// Distributes blocks over pages, from top to bottom.
import type { Block } from './layout.ts'

export interface PlacedBlock {
  readonly piece: Block
  /** Distance from the top of the page's body, in points. */
  readonly top: number
}

/** Yields pages one by one, so that a statement of 50,000 devices is never held in memory completely. */
export function* paginate(pieces: Iterable<Block>, height: number): Generator<readonly PlacedBlock[]> {
  let page: PlacedBlock[] = []
  let used = 0
  const place = (piece: Block): void => {
    if (page.length > 0) used += piece.gap
    page.push({ piece, top: used })
    used += piece.height
  }
  for (const group of together(pieces, height)) {
    const first = group[0]!
    const needed = heightOf(group)
    if (page.length > 0 && (first.startsPage || used + needed > height)) {
      yield page
      page = []
      used = 0
      if (first.repeats) place(first.repeats)
    }
    group.forEach(place)
  }
  if (page.length > 0) yield page
}

const heightOf = (group: readonly Block[]): number => group.reduce((sum, piece) => sum + piece.gap + piece.height, 0)

/** Groups a heading with the blocks that follow it. A group higher than a page is split. */
function* together(pieces: Iterable<Block>, height: number): Generator<readonly Block[]> {
  let group: Block[] = []
  const asItFits = (): readonly (readonly Block[])[] =>
    heightOf(group) <= height ? [group] : group.map((piece) => [piece])
  for (const piece of pieces) {
    group.push(piece)
    if (piece.staysWithNext) continue
    yield* asItFits()
    group = []
  }
  if (group.length > 0) yield* asItFits()
}
