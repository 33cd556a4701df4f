// A waterfall: step by step to the sum, each step beginning where the one before it ended.
import de from '../components/messages.de.json'
import en from '../components/messages.en.json'
import type { Why } from '../components/explanation.ts'
import { useFormat } from '../i18n/format.ts'
import { useMessages } from '../i18n/language.tsx'
import { AXIS_BELOW, ValueAxisBelow, Whisker } from './axes.tsx'
import { ChartFrame, type ChartFrameProps } from './chart-frame.tsx'
import { Label } from './label.tsx'
import { linearScale } from './scales.ts'
import { fillOf, type Look, type Series } from './theme.ts'

export interface Step {
  readonly key: string
  readonly label: string
  readonly value: number
  readonly look: Look
  /** The 95 % interval of the step, where it is known. */
  readonly low?: number
  readonly high?: number
  readonly why: Why
}

export interface WaterfallProps extends Pick<ChartFrameProps, 'title' | 'summary' | 'note'> {
  readonly unit: string
  readonly steps: readonly Step[]
  readonly series: readonly Series[]
  /** The sum as the service has it, with its own interval: that of a sum is no sum of intervals. */
  readonly total: Omit<Step, 'key' | 'look'>
}

/** A step with the sum of those before it. */
interface Placed extends Step {
  readonly from: number
}

export function Waterfall({ title, summary, note, unit, steps, series, total }: WaterfallProps) {
  const t = useMessages({ en, de })
  const placed = place(steps, total)
  const hasIntervals = placed.some(({ low }) => low !== undefined)
  const table = {
    columns: [t('name'), `${t('value')} (${unit})`, ...(hasIntervals ? [t('low', { unit }), t('high', { unit })] : [])],
    rows: placed.map(({ label, value, low = null, high = null }) =>
      hasIntervals ? [label, value, low, high] : [label, value],
    ),
  }
  const explain = { unit, whyOf: (row: number) => placed[row]!.why }
  const draw = (width: number, chart: string) => ({
    height: placed.length * ROW + AXIS_BELOW,
    content: <Steps chart={chart} width={width} unit={unit} placed={placed} />,
  })
  const frame = { title, summary, series, table, explain, note, draw }
  return <ChartFrame {...frame} />
}

function place(steps: readonly Step[], total: WaterfallProps['total']): readonly Placed[] {
  let reached = 0
  const placed = steps.map((step) => {
    const from = reached
    reached += step.value
    return { ...step, from }
  })
  return [...placed, { ...total, key: 'total', look: 'total', from: 0 }]
}

const NAME = 20
const THICK = 20
const ROW = NAME + THICK + 8
const MARGIN = 16

interface StepsProps {
  readonly chart: string
  readonly width: number
  readonly unit: string
  readonly placed: readonly Placed[]
}

function Steps({ chart, width, unit, placed }: StepsProps) {
  const { full } = useFormat()
  const sums = placed.flatMap(({ from, value, low = value, high = value }) => [from + value, from + low, from + high])
  const least = Math.min(0, ...sums)
  const ends = [least, Math.max(0, ...sums) || (least < 0 ? 0 : 1)] as const
  const scale = linearScale(ends, [MARGIN, width - MARGIN])
  return (
    <>
      <ValueAxisBelow scale={scale} unit={unit} width={width} height={placed.length * ROW} />
      {placed.map(({ key, label, value, look, low, high, from }, at) => (
        <g key={key} transform={`translate(0,${at * ROW})`}>
          <Label x={MARGIN} y={NAME - 5} room={width - MARGIN} isStrong={key === 'total'}>
            {label}
          </Label>
          <rect
            x={Math.min(scale(from), scale(from + value))}
            y={NAME}
            width={Math.max(1, Math.abs(scale(from + value) - scale(from)))}
            height={THICK}
            fill={fillOf(chart, look)}
          >
            <title>{`${label}: ${full(value)} ${unit}`}</title>
          </rect>
          {low !== undefined && high !== undefined && (
            <Whisker from={scale(from + low)} to={scale(from + high)} at={NAME + THICK / 2} />
          )}
          {at < placed.length - 1 && (
            <line
              className="connector"
              x1={scale(from + value)}
              x2={scale(from + value)}
              y1={NAME + THICK}
              y2={ROW + NAME}
            />
          )}
        </g>
      ))}
    </>
  )
}
