// The months of a figure as a small picture beside it; the chart below has them with their numbers.
import { useMessages } from '../i18n/language.tsx'
import de from './messages.de.json'
import en from './messages.en.json'

export interface SparklineProps {
  readonly title: string
  /** By month; null where there is none. */
  readonly values: readonly (number | null)[]
}

const [WIDTH, HEIGHT] = [72, 24]
/** So that no end of the line is cut. */
const MARGIN = 3

export function Sparkline({ title, values }: SparklineProps) {
  const t = useMessages({ en, de })
  const known = values.filter((value) => value !== null)
  if (known.length < 2) return null
  const [low, high] = [Math.min(0, ...known), Math.max(0, ...known) || 1]
  const x = (at: number) => MARGIN + (at / (values.length - 1)) * (WIDTH - 2 * MARGIN)
  const y = (value: number) => HEIGHT - MARGIN - ((value - low) / (high - low)) * (HEIGHT - 2 * MARGIN)
  const points = values.flatMap((value, at) => (value === null ? [] : [`${x(at)},${y(value)}`]))
  const [endX, endY] = points.at(-1)!.split(',')
  return (
    <svg className="sparkline" width={WIDTH} height={HEIGHT} role="img" aria-label={t('sparkline', { title })}>
      <polyline points={points.join(' ')} />
      <circle cx={endX} cy={endY} r={2.5} />
    </svg>
  )
}
