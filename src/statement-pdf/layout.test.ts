// Tests pages, axes and colours: no block is lost between pages, bars start at zero, and colours have enough contrast.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { COLOURS, PART_PATTERNS, PLAIN_FILL } from './theme.ts'
import { paginate } from './paginate.ts'
import type { Block } from './layout.ts'
import { scaleFor } from './charts.ts'
import { tableBlocks } from './table.ts'

const PAGE = 100
const pieceOf = fc.record({
  height: fc.integer({ min: 1, max: 60 }),
  gap: fc.integer({ min: 0, max: 10 }),
  staysWithNext: fc.boolean(),
  startsPage: fc.boolean(),
})

test('every piece is on a page, in sequence, and ends on it; a heading is the last of none', () => {
  fc.assert(
    fc.property(fc.array(pieceOf, { maxLength: 40 }), (pieces: readonly Block[]) => {
      const pages = [...paginate(pieces, PAGE)]
      assert.deepEqual(
        pages.flatMap((page) => page.map(({ piece }) => piece)),
        pieces,
      )
      for (const page of pages) {
        const last = page.at(-1)!
        assert.ok(last.top + last.piece.height <= PAGE)
        page.slice(1).forEach(({ top }, at) => assert.ok(top >= page[at]!.top + page[at]!.piece.height))
      }
      // A group that must stay together is only split if it does not fit on a page.
      for (const [at, page] of pages.entries()) {
        if (!page.at(-1)!.piece.staysWithNext || at === pages.length - 1) continue
        assert.ok(groupHeight(pieces, page.at(-1)!.piece) > PAGE)
      }
    }),
  )
})

/** The height of all blocks that stay together with the given block. */
function groupHeight(pieces: readonly Block[], one: Block): number {
  let [start, end] = [pieces.indexOf(one), pieces.indexOf(one)]
  while (start > 0 && pieces[start - 1]!.staysWithNext) start--
  while (end < pieces.length - 1 && pieces[end]!.staysWithNext) end++
  return pieces.slice(start, end + 1).reduce((sum, { gap, height }) => sum + gap + height, 0)
}

test('a table has its header on top of every page that it reaches, tagged on the first alone', () => {
  const rows = Array.from({ length: 60 }, (_, at) => ({ cells: [`row ${at}`, String(at)] }))
  const columns = [
    { title: 'name', share: 0.5 },
    { title: 'number', share: 0.5, isNumber: true },
  ]
  const pages = [...paginate(tableBlocks({ title: 'rows', columns }, rows), 300)]
  assert.ok(pages.length > 2)
  assert.equal(pages[0]![0]!.piece.content!.children![0]!.tag, 'TH')
  for (const page of pages.slice(1)) assert.equal(page[0]!.piece.content, undefined)
  assert.equal(pages.flat().filter(({ piece }) => piece.content).length, 1 + rows.length)
})

test('an axis has zero and every value on it, by round steps', () => {
  fc.assert(
    fc.property(fc.array(fc.maxSafeInteger(), { maxLength: 12 }), (milligrams) => {
      const values = milligrams.map((one) => one / 1e6)
      const scale = scaleFor(values)
      assert.ok(scale.from <= 0 && scale.to >= 0 && scale.ticks.length >= 2 && scale.ticks.length <= 8)
      for (const value of [0, ...values]) assert.ok(scale.at(value) >= -1e-9 && scale.at(value) <= 1 + 1e-9)
    }),
  )
})

function luminance(color: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = parseInt(color.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!
}

const contrast = (one: string, other: string): number => {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (light! + 0.05) / (dark! + 0.05)
}

test('type stands out from its ground by 4.5:1, bars from white by 3:1, and no two parts have one pattern', () => {
  for (const color of [COLOURS.text, COLOURS.quiet, COLOURS.accent]) assert.ok(contrast(color, '#ffffff') >= 4.5, color)
  assert.ok(contrast(COLOURS.text, COLOURS.shade) >= 4.5)
  const fills = Object.values(PART_PATTERNS)
  for (const { color } of [...fills, PLAIN_FILL]) assert.ok(contrast(color, '#ffffff') >= 3, color)
  assert.equal(new Set(fills.map(({ pattern }) => pattern)).size, fills.length)
})
