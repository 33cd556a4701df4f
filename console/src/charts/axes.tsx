// Axes with their unit, grid lines, and the whiskers of intervals. Numbers are plain text elements: a library for axes
// would make every first page a twentieth heavier.
import { useFormat } from '../i18n/format.ts'
import type { LinearScale } from './scales.ts'

const TICK_PIXELS = 90

const asItIs = (value: number): number => value

export interface ValueAxisProps {
  readonly scale: LinearScale
  readonly unit: string
  /** What is written for a value of the scale. */
  readonly of?: (value: number) => number
  readonly width: number
  readonly height: number
}

/** Of bars that lie: numbers below, the unit at their end, lines through the chart. */
export function ValueAxisBelow({ scale, unit, of = asItIs, width, height }: ValueAxisProps) {
  const { short } = useFormat()
  const count = Math.max(2, Math.floor(width / TICK_PIXELS))
  return (
    <g className="axis">
      {scale.ticks(count).map((tick) => (
        <line key={tick} className={tick === 0 ? 'zero' : 'grid'} x1={scale(tick)} x2={scale(tick)} y2={height} />
      ))}
      {scale.ticks(count).map((tick) => (
        <text key={tick} x={scale(tick)} y={height + 18} textAnchor="middle">
          {short(of(tick))}
        </text>
      ))}
      <text className="axis-unit" x={width} y={height + 36} textAnchor="end">
        {unit}
      </text>
    </g>
  )
}

/** Of bars that stand: numbers to the left, the unit above them. */
export function ValueAxisLeft({ scale, unit, of = asItIs, width, height }: ValueAxisProps) {
  const { short } = useFormat()
  const count = Math.max(2, Math.floor(height / 50))
  return (
    <g className="axis">
      <text className="axis-unit" x={0} y={12}>
        {unit}
      </text>
      {scale.ticks(count).map((tick) => (
        <line
          key={tick}
          className={tick === 0 ? 'zero' : 'grid'}
          x1={AXIS_LEFT}
          x2={width}
          y1={scale(tick)}
          y2={scale(tick)}
        />
      ))}
      {scale.ticks(count).map((tick) => (
        <text key={tick} x={AXIS_LEFT - 8} y={scale(tick) + 4} textAnchor="end">
          {short(of(tick))}
        </text>
      ))}
    </g>
  )
}

/** Room for the numbers of an axis that stands. */
export const AXIS_LEFT = 56
/** Room for the numbers of an axis that lies, and its unit. */
export const AXIS_BELOW = 44

export interface WhiskerProps {
  readonly from: number
  readonly to: number
  /** Where it runs across. */
  readonly at: number
  readonly isUpright?: boolean
}

const CAP = 5

export function Whisker({ from, to, at, isUpright = false }: WhiskerProps) {
  const path = isUpright
    ? `M${at - CAP},${from}h${2 * CAP}M${at},${from}V${to}M${at - CAP},${to}h${2 * CAP}`
    : `M${from},${at - CAP}v${2 * CAP}M${from},${at}H${to}M${to},${at - CAP}v${2 * CAP}`
  return (
    <>
      <path className="whisker-halo" d={path} />
      <path className="whisker" d={path} />
    </>
  )
}
