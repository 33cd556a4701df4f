// A time line: what is left as steps, what happened as marks, and what lasted as spans below.
import { useFormat } from '../i18n/format.ts'
import { AXIS_BELOW, AXIS_LEFT, ValueAxisLeft } from './axes.tsx'
import { ChartFrame, type ChartFrameProps } from './chart-frame.tsx'
import { Label } from './label.tsx'
import { linearScale, timeScale, type TimeScale } from './scales.ts'
import { colourOf, fillOf, type Look, type Series } from './theme.ts'

export interface TimePoint {
  /** A day, as YYYY-MM-DD. */
  readonly day: string
  /** What holds from that day on. */
  readonly value: number
  /** What happened. */
  readonly label: string
  /** Marked with its label: something that happened to the thing itself. */
  readonly isEvent?: boolean
}

export interface TimeSpan {
  readonly from: string
  /** Not in it any more. */
  readonly to: string
  readonly label: string
  readonly look: Look
}

export interface TimeLineProps extends Pick<ChartFrameProps, 'title' | 'summary' | 'note' | 'table' | 'explain'> {
  readonly unit: string
  readonly points: readonly TimePoint[]
  /** One after the other. */
  readonly spans: readonly TimeSpan[]
  readonly series: readonly Series[]
}

export function TimeLine({ unit, points, spans, ...frame }: TimeLineProps) {
  const draw = (width: number, chart: string) => ({
    height: HEIGHT + SPAN + AXIS_BELOW,
    content: <Content chart={chart} width={width} unit={unit} points={points} spans={spans} />,
  })
  return <ChartFrame {...frame} draw={draw} />
}

const HEIGHT = 200
const TOP = 24
/** A span, with its label below. */
const SPAN = 36
const THICK = 12
/** Half a label of the axis. */
const RIGHT = 28
const TICK_PIXELS = 90
const HALF_A_MONTH_MS = 15 * 86_400_000

interface ContentProps {
  readonly chart: string
  readonly width: number
  readonly unit: string
  readonly points: readonly TimePoint[]
  readonly spans: readonly TimeSpan[]
}

const timeOf = (day: string): number => Date.parse(`${day}T00:00:00Z`)

function Content({ chart, width, unit, points, spans }: ContentProps) {
  const { full, day: written } = useFormat()
  const times = [...points.map(({ day }) => day), ...spans.flatMap(({ from, to }) => [from, to])].map(timeOf)
  const ends = [Math.min(...times), Math.max(...times)] as const
  const across = timeScale(ends, [AXIS_LEFT + 8, width - RIGHT])
  const up = linearScale([0, Math.max(...points.map(({ value }) => value)) || 1], [HEIGHT, TOP])
  return (
    <>
      <ValueAxisLeft scale={up} unit={unit} width={width} height={HEIGHT - TOP} />
      <path d={stepsOf(points, ends[1], across, up)} fill="none" stroke={colourOf('make')} strokeWidth={2.5} />
      {points
        .filter(({ isEvent }) => isEvent)
        .map((point, at) => (
          <EventMark key={at} point={point} x={across(timeOf(point.day))} width={width} />
        ))}
      {points.map(({ day, value, label }, at) => (
        <circle key={at} cx={across(timeOf(day))} cy={up(value)} r={5} fill={colourOf('make')} stroke="var(--surface)">
          <title>{`${written(day)}: ${label}, ${full(value)} ${unit}`}</title>
        </circle>
      ))}
      {spans.map((span, at) => (
        <SpanShape key={at} chart={chart} span={span} across={across} y={HEIGHT + 6} />
      ))}
      <TimeAxis scale={across} width={width} y={HEIGHT + SPAN + 4} />
    </>
  )
}

interface TimeAxisProps {
  readonly scale: TimeScale
  readonly width: number
  readonly y: number
}

/** By months; by days where the whole of it is too short for that. */
function TimeAxis({ scale, width, y }: TimeAxisProps) {
  const { day, month } = useFormat()
  const count = Math.max(3, Math.floor((width - AXIS_LEFT) / TICK_PIXELS))
  const [start, end] = scale.ends
  const label = end - start > count * HALF_A_MONTH_MS ? month : day
  return (
    <g className="axis">
      <line className="zero" x1={AXIS_LEFT} x2={width} y1={y} y2={y} />
      {scale.ticks(count).map((tick) => (
        <text key={Number(tick)} x={scale(Number(tick))} y={y + 18} textAnchor="middle">
          {label(tick.toISOString().slice(0, label === month ? 7 : 10))}
        </text>
      ))}
    </g>
  )
}

type Across = (time: number) => number

/** What holds from a day on holds until the next. */
function stepsOf(points: readonly TimePoint[], end: number, across: Across, up: (value: number) => number): string {
  const steps = points.map(
    ({ day, value }, at) => `${at === 0 ? 'M' : 'H'}${across(timeOf(day))}${at === 0 ? ',' : 'V'}${up(value)}`,
  )
  return `${steps.join('')}H${across(end)}`
}

/** Written to the side on which there is room. */
function EventMark({ point, x, width }: { readonly point: TimePoint; readonly x: number; readonly width: number }) {
  const isLate = x > width / 2
  return (
    <g>
      <line className="connector" x1={x} x2={x} y1={TOP - 4} y2={HEIGHT} />
      <text x={isLate ? x - 6 : x + 6} y={TOP + 6} textAnchor={isLate ? 'end' : 'start'}>
        {point.label}
      </text>
    </g>
  )
}

/** Less is room for a letter or two, which tell nothing. */
const LABEL_PIXELS_MIN = 36
/** Between a label and the next. */
const GAP = 6

interface SpanShapeProps {
  readonly chart: string
  readonly span: TimeSpan
  readonly across: Across
  readonly y: number
}

function SpanShape({ chart, span: { from, to, label, look }, across, y }: SpanShapeProps) {
  const { day } = useFormat()
  const [start, end] = [across(timeOf(from)), across(timeOf(to))]
  return (
    <g>
      <rect x={start} y={y} width={Math.max(3, end - start)} height={THICK} rx={3} fill={fillOf(chart, look)}>
        <title>{`${label}: ${day(from)} – ${day(to)}`}</title>
      </rect>
      {end - start >= LABEL_PIXELS_MIN && (
        <Label x={start} y={y + THICK + 14} room={end - start - GAP}>
          {label}
        </Label>
      )}
    </g>
  )
}
