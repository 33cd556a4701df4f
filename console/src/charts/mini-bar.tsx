// One stacked bar in a row of a table: to compare rows at a glance; the numbers stand beside it.
import { useFormat } from '../i18n/format.ts'
import { piecesOf, type Bar } from './bars.ts'
import { fillOf, type Series } from './theme.ts'

export interface MiniBarProps {
  /** Id of the patterns that stand above the table. */
  readonly chart: string
  readonly bar: Bar
  readonly series: readonly Series[]
  readonly unit: string
  /** What the whole width stands for. */
  readonly max: number
}

const WIDTH = 160
const HEIGHT = 14

export function MiniBar({ chart, bar, series, unit, max }: MiniBarProps) {
  const { short } = useFormat()
  const pieces = piecesOf(bar, series)
  const told = pieces.map((piece) => `${piece.series.label} ${short(piece.value)} ${unit}`).join(', ')
  const toX = (value: number) => (Math.max(0, value) / max) * WIDTH
  return (
    <svg width={WIDTH} height={HEIGHT} role="img" aria-label={`${bar.label}: ${told}`}>
      <title>{told}</title>
      {pieces.map(({ series: { key, look }, from, to }) => (
        <rect
          key={key}
          x={toX(Math.min(from, to))}
          width={toX(Math.abs(to - from))}
          height={HEIGHT}
          fill={fillOf(chart, look)}
        />
      ))}
    </svg>
  )
}
