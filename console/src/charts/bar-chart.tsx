// Stacked bars: lying, one below the other with its name above it, or standing, one beside the other.
import de from '../components/messages.de.json'
import en from '../components/messages.en.json'
import { useFormat } from '../i18n/format.ts'
import { useMessages } from '../i18n/language.tsx'
import type { Why } from '../components/explanation.ts'
import { AXIS_BELOW, AXIS_LEFT, ValueAxisBelow, ValueAxisLeft, Whisker } from './axes.tsx'
import { pressable, useTargetsOf, type HrefOfBars } from './bar-targets.ts'
import { domainOf, hasInterval, piecesOf, sumOf, type Bar, type Piece } from './bars.ts'
import { ChartFrame, type ChartFrameProps } from './chart-frame.tsx'
import type { Target } from './chart-targets.tsx'
import type { ChartTable } from './csv.ts'
import { Label } from './label.tsx'
import { bandsOf, linearScale, type Bands } from './scales.ts'
import { massUnit, type MassUnit } from '../emissions/mass.ts'
import { KG } from '../emissions/kilograms.ts'
import { AHEAD, colourOf, fillOf, type Series } from './theme.ts'

export interface BarChartProps extends Pick<ChartFrameProps, 'title' | 'summary' | 'note'> {
  readonly unit: string
  readonly series: readonly Series[]
  readonly bars: readonly Bar[]
  /** `across` for things with names, `up` for months. */
  readonly direction?: 'across' | 'up'
  /** Explains the piece of a bar that is of a series, or with null all of the bar. */
  readonly whyOf: (bar: Bar, series: Series | null) => Why
  /** Over standing bars, like what was a year before. */
  readonly line?: Line
  /** What the legend calls a bar that is still going on. */
  readonly running?: string
  /** Bars that have such an address can be pressed. */
  readonly hrefOf?: HrefOfBars
}

/** A value of each bar, drawn as a line over them; null where there is none. */
export interface Line {
  readonly label: string
  readonly values: readonly (number | null)[]
  /** Explains the value of a bar. */
  readonly whyOf: (bar: Bar) => Why
}

export function BarChart(props: BarChartProps) {
  const { title, summary, note, unit, series, bars, direction = 'across', line, running, whyOf, hrefOf } = props
  const table = useBarTable(unit, series, bars, line)
  const explain = {
    unit,
    whyOf: (row: number, column: number) =>
      line && column > series.length + 1 ? line.whyOf(bars[row]!) : whyOf(bars[row]!, series[column - 1] ?? null),
    hrefOf: (row: number) => hrefOf?.(bars[row]!, bars[row]!) ?? null,
  }
  const targetsOf = useTargetsOf({ unit, series, hrefOf })
  const draw = (width: number, chart: string) => {
    const drawn = { chart, width, unit, series, bars, line }
    const targets = (direction === 'across' ? placesAcross : placesUp)(bars, width).flatMap((one) => targetsOf(...one))
    return direction === 'across'
      ? { height: heightAcross(bars.length), content: <BarsAcross {...drawn} />, targets }
      : { height: HEIGHT_UP, content: <BarsUp {...drawn} />, targets }
  }
  const frame = { title, summary, series, table, explain, note, marks: { line: line?.label, running }, draw }
  return <ChartFrame {...frame} />
}

/** The sums and intervals of all bars stand beside their pieces. */
function useBarTable(
  unit: string,
  series: readonly Series[],
  bars: readonly Bar[],
  line: Line | undefined,
): ChartTable {
  const t = useMessages({ en, de })
  const withIntervals = bars.some(hasInterval)
  return {
    columns: [
      t('name'),
      ...series.map(({ label }) => `${label} (${unit})`),
      `${t('total')} (${unit})`,
      ...(line ? [`${line.label} (${unit})`] : []),
      ...(withIntervals ? [t('low', { unit }), t('high', { unit })] : []),
    ],
    rows: bars.map((bar, at) => [
      bar.label,
      ...series.map(({ key }) => bar.values[key] ?? null),
      bar.isAhead ? null : sumOf(bar),
      ...(line ? [line.values[at] ?? null] : []),
      ...(withIntervals ? [bar.low ?? null, bar.high ?? null] : []),
    ]),
  }
}

interface BarsProps {
  readonly chart: string
  readonly width: number
  readonly unit: string
  readonly series: readonly Series[]
  readonly bars: readonly Bar[]
  readonly line: Line | undefined
}

/** The unit of an axis, by the longest bar: kilograms are told in tonnes where there are thousands. */
const unitOfAxis = (
  unit: string,
  domain: readonly [number, number],
): Pick<MassUnit, 'of'> & { readonly unit: string } =>
  unit === KG ? massUnit(Math.max(...domain.map(Math.abs))) : { unit, of: (value) => value }

const NAME = 22
const THICK = 24
const ROW = NAME + THICK + 14
const heightAcross = (count: number): number => count * ROW + AXIS_BELOW

/** Bars that are pressed as one, and where. */
type PressedPlace = readonly [readonly Bar[], Target['place']]

const placesAcross = (bars: readonly Bar[], width: number): readonly PressedPlace[] =>
  bars.map((bar, at) => [[bar], { left: 0, top: at * ROW, width, height: ROW - 6 }])

/** Room for half of a number at either end. */
const MARGIN = 26

/** Room for the sum of a bar, at the end of its line. */
const SUM = 72

function BarsAcross({ chart, width, unit, series, bars }: BarsProps) {
  const { short } = useFormat()
  const range = [MARGIN, width - MARGIN] as const
  const domain = domainOf(bars, series)
  const scale = linearScale(domain, range)
  const axis = unitOfAxis(unit, domain)
  return (
    <>
      <ValueAxisBelow scale={scale} {...axis} width={width} height={bars.length * ROW} />
      {bars.map((bar, at) => (
        <g key={bar.key} transform={`translate(0,${at * ROW})`}>
          <Label x={MARGIN} y={NAME - 6} room={width - MARGIN - SUM}>
            {bar.label}
          </Label>
          <text className="over-grid" x={range[1]} y={NAME - 6} textAnchor="end">
            {short(axis.of(sumOf(bar)))}
          </text>
          {piecesOf(bar, series).map((piece) => (
            <PieceShape
              key={piece.series.key}
              chart={chart}
              piece={piece}
              unit={unit}
              x={Math.min(scale(piece.from), scale(piece.to))}
              y={NAME}
              width={Math.abs(scale(piece.to) - scale(piece.from))}
              height={THICK}
            />
          ))}
          {hasInterval(bar) && <Whisker from={scale(bar.low)} to={scale(bar.high)} at={NAME + THICK / 2} />}
        </g>
      ))}
    </>
  )
}

const HEIGHT_UP = 320
const TOP = 24
/** A month as German writes the longest, Sept. 27, and a gap. */
const LABEL_PIXELS = 68
/** Room for half of the last label. */
const RIGHT = 16

const bandsUp = (bars: readonly Bar[], width: number): Bands => bandsOf(bars.length, [AXIS_LEFT + 8, width - RIGHT])

function placesUp(bars: readonly Bar[], width: number): readonly PressedPlace[] {
  const { step, width: thick, startOf } = bandsUp(bars, width)
  const side = (step - thick) / 2
  const isAhead = (bar: Bar) => bar.isAhead === true
  const apart = [bars.filter((bar) => !isAhead(bar)), bars.filter(isAhead)]
  return apart
    .flatMap((some) => pressable(some, step))
    .map((some) => [
      some,
      { left: startOf(bars.indexOf(some[0]!)) - side, top: 0, width: some.length * step, height: HEIGHT_UP },
    ])
}

function BarsUp({ chart, width, unit, series, bars, line }: BarsProps) {
  const bottom = HEIGHT_UP - 28
  const [low, high] = domainOf(bars, series)
  const domain = [low, Math.max(high, ...(line?.values ?? []).map((value) => value ?? 0))] as const
  const scale = linearScale(domain, [bottom, TOP])
  const bands = bandsUp(bars, width)
  // Names that would run into one another are left out, evenly.
  const every = Math.ceil(LABEL_PIXELS / bands.step)
  return (
    <>
      {bars.map((bar, at) =>
        bar.isRunning ? (
          <rect
            key={bar.key}
            className="bar-running"
            x={bands.startOf(at) - (bands.step - bands.width) / 2}
            y={TOP}
            width={bands.step}
            height={bottom - TOP}
          />
        ) : null,
      )}
      <ValueAxisLeft scale={scale} {...unitOfAxis(unit, domain)} width={width} height={bottom - TOP} />
      {bars.map((bar, at) => {
        const x = bands.startOf(at)
        const middle = x + bands.width / 2
        return (
          <g key={bar.key}>
            {piecesOf(bar, series).map((piece) => (
              <PieceShape
                key={piece.series.key}
                chart={chart}
                piece={piece}
                unit={unit}
                x={x}
                y={Math.min(scale(piece.from), scale(piece.to))}
                width={bands.width}
                height={Math.abs(scale(piece.to) - scale(piece.from))}
              />
            ))}
            {hasInterval(bar) && <Whisker from={scale(bar.low)} to={scale(bar.high)} at={middle} isUpright />}
            {at % every === 0 && (
              <text x={middle} y={bottom + 20} textAnchor="middle" fontWeight={bar.isRunning ? 700 : 400}>
                {bar.label}
              </text>
            )}
          </g>
        )
      })}
      {line && (
        <LineOver
          points={line.values.map((value, at) =>
            value === null ? null : [bands.startOf(at) + bands.width / 2, scale(value)],
          )}
        />
      )}
    </>
  )
}

/** A line is broken where there is no value; a value alone is a short one. */
function LineOver({ points }: { readonly points: readonly (readonly [number, number] | null)[] }) {
  const path = points
    .map((point, at) => (point ? `${points[at - 1] ? 'L' : `M${point[0] - 4},${point[1]}L`}${point.join()}` : ''))
    .join('')
  return (
    <>
      <path className="line-halo" d={path} />
      <path className="line-before" d={path} />
    </>
  )
}

interface PieceShapeProps {
  readonly chart: string
  readonly piece: Piece
  readonly unit: string
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** With its full value under the pointer. */
function PieceShape({ chart, piece: { series, value }, unit, ...place }: PieceShapeProps) {
  const { full } = useFormat()
  return (
    <rect {...place} fill={fillOf(chart, series.look)} stroke={series.look === AHEAD ? colourOf(AHEAD) : 'none'}>
      <title>{`${series.label}: ${full(value)} ${unit}`}</title>
    </rect>
  )
}
