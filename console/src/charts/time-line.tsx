// A time line: what is left as steps, what happened as marks, and what lasted as spans below.
import { AxisBottom } from '@visx/axis'
import { scaleLinear, scaleTime } from '@visx/scale'
import { useFormat } from '../language/format.ts'
import { AXIS_BELOW, AXIS_LEFT, ValueAxisLeft, labelBelow } from './axes.tsx'
import { ChartFrame, type ChartFrameProps } from './chart-frame.tsx'
import { colourOf, fillOf, type Look, type Series } from './looks.ts'

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
  /** Spans of the same lane stand in one line, one after the other; without it each has its own. */
  readonly lane?: string
}

export interface TimeLineProps extends Pick<ChartFrameProps, 'title' | 'summary' | 'note' | 'table'> {
  readonly unit: string
  readonly points: readonly TimePoint[]
  readonly spans: readonly TimeSpan[]
  readonly series?: readonly Series[]
}

export function TimeLine({ unit, points, spans, ...frame }: TimeLineProps) {
  const draw = (width: number, chart: string) => ({
    height: HEIGHT + SPAN * lanesOf(spans).length + AXIS_BELOW,
    content: <Content chart={chart} width={width} unit={unit} points={points} spans={spans} />,
  })
  return <ChartFrame {...frame} draw={draw} />
}

const HEIGHT = 200
const TOP = 24
const SPAN = 28
/** Half a label of the axis. */
const RIGHT = 28
const TICK_PIXELS = 90

interface ContentProps {
  readonly chart: string
  readonly width: number
  readonly unit: string
  readonly points: readonly TimePoint[]
  readonly spans: readonly TimeSpan[]
}

/** The lanes in the sequence in which they are first named. */
const lanesOf = (spans: readonly TimeSpan[]): readonly string[] => [...new Set(spans.map(laneOf))]
const laneOf = ({ lane, from, label }: TimeSpan): string => lane ?? `${from} ${label}`

const timeOf = (day: string): number => Date.parse(`${day}T00:00:00Z`)

function Content({ chart, width, unit, points, spans }: ContentProps) {
  const { full, day: written } = useFormat()
  const times = [...points.map(({ day }) => day), ...spans.flatMap(({ from, to }) => [from, to])].map(timeOf)
  const ends = [Math.min(...times), Math.max(...times)]
  const across = scaleTime<number>({ domain: ends, range: [AXIS_LEFT + 8, width - RIGHT] })
  const up = scaleLinear<number>({
    domain: [0, Math.max(...points.map(({ value }) => value)) || 1],
    range: [HEIGHT, TOP],
    nice: true,
  })
  const lanes = lanesOf(spans)
  const bottom = HEIGHT + SPAN * lanes.length
  return (
    <>
      <ValueAxisLeft scale={up} unit={unit} width={width} height={HEIGHT - TOP} />
      <path d={stepsOf(points, ends[1]!, across, up)} fill="none" stroke={colourOf('make')} strokeWidth={2.5} />
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
        <SpanShape
          key={at}
          chart={chart}
          span={span}
          across={across}
          y={HEIGHT + SPAN * lanes.indexOf(laneOf(span)) + 6}
        />
      ))}
      <g className="axis">
        <AxisBottom
          scale={across}
          top={bottom + 4}
          numTicks={Math.max(3, Math.floor((width - AXIS_LEFT) / TICK_PIXELS))}
          tickFormat={(value) => (value as Date).toISOString().slice(0, 7)}
          hideTicks
          tickLabelProps={labelBelow}
        />
      </g>
    </>
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
      <text x={isLate ? x - 6 : x + 6} y={TOP + 6} fontSize={12} textAnchor={isLate ? 'end' : 'start'}>
        {point.label}
      </text>
    </g>
  )
}

const LETTER = 6.5

/** As much of a label as there is room for; nothing where that would be a letter or two. */
function fitted(label: string, room: number): string {
  const letters = Math.floor(room / LETTER)
  if (label.length <= letters) return label
  return letters < 4 ? '' : `${label.slice(0, letters - 1)}…`
}

interface SpanShapeProps {
  readonly chart: string
  readonly span: TimeSpan
  readonly across: Across
  readonly y: number
}

function SpanShape({ chart, span: { from, to, label, look, lane }, across, y }: SpanShapeProps) {
  const { day } = useFormat()
  const [start, end] = [across(timeOf(from)), across(timeOf(to))]
  return (
    <g>
      <rect x={start} y={y} width={Math.max(3, end - start)} height={SPAN - 16} rx={3} fill={fillOf(chart, look)}>
        <title>{`${label}: ${day(from)} – ${day(to)}`}</title>
      </rect>
      <text x={start} y={y + SPAN - 6} fontSize={11}>
        {lane === undefined ? label : fitted(label, end - start)}
      </text>
    </g>
  )
}
