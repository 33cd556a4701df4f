// Why a figure of the quality board is what it is.
import { sumOf, type Bar } from '../charts/bars.ts'
import type { Series } from '../charts/theme.ts'
import type { Explanation, Why } from '../components/explanation.ts'
import type { Say } from '../i18n/language.tsx'
import type en from './messages.en.json'
import type { Board } from './quality-data.ts'
import { KG, plain } from '../emissions/kilograms.ts'

type Words = Say<keyof typeof en>
export type Improvement = Board['to_improve'][number]

/** @param isOfUse whether its whole is use alone */
export function explainBoard(board: Board, bar: Bar, piece: Series | null, isOfUse: boolean, say: Words): Why {
  const value = piece ? (bar.values[piece.key] ?? 0) : plain(sumOf(bar))
  const whole = isOfUse ? board.by_country.reduce((sum, row) => sum + row.use_emission, 0) : board.total_emission
  const percent = whole === 0 ? 0 : Number(((value / whole) * 100).toPrecision(3))
  return () => ({
    title: piece ? `${bar.label}: ${piece.label}` : bar.label,
    value,
    formula: say('sumOfEntries'),
    ...behind(board, say),
    notes: [say(isOfUse ? 'shareOfUse' : 'shareIs', { percent: String(percent) }), say('boardRule')],
  })
}

/** @param figure which of the figures of a product */
export function explainImprovement(
  board: Board,
  mend: Improvement,
  figure: 'total_emission' | 'width',
  say: Words,
): Why {
  const { product_id: title, width, low, high } = mend
  return () => ({
    title,
    value: mend[figure],
    formula: figure === 'width' ? `${high} − ${low} = ${width}` : say('sumOfEntries'),
    ...behind(board, say),
    notes: [say('boardRule'), say('mendHelp')],
  })
}

const behind = (
  board: Board,
  say: Words,
): Pick<Explanation, 'unit' | 'methodology' | 'release' | 'links' | 'call'> => ({
  unit: KG,
  methodology: 'METHODOLOGY.md#uncertainty',
  release: board.dataset_releases.join(', '),
  links: [{ path: '/matching', label: say('toMatching') }],
  call: board.call,
})
