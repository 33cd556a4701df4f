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
import { fillOf, type Series } from './theme.ts'

export interface BarChartProps extends Pick<ChartFrameProps, 'title' | 'summary' | 'note'> {
  readonly unit: string
  readonly series: readonly Series[]
  readonly bars: readonly Bar[]
  /** `across` for things with names, `up` for months. */
  readonly direction?: 'across' | 'up'
  /** Explains the piece of a bar that is of a series, or with null all of the bar. */
  readonly whyOf: (bar: Bar, series: Series | null) => Why
  /** Bars that have such an address can be pressed. */
  readonly hrefOf?: HrefOfBars
}

export function BarChart(props: BarChartProps) {
  const { title, summary, note, unit, series, bars, direction = 'across', whyOf, hrefOf } = props
  const table = useBarTable(unit, series, bars)
  const explain = {
    unit,
    whyOf: (row: number, column: number) => whyOf(bars[row]!, series[column - 1] ?? null),
    hrefOf: (row: number) => hrefOf?.(bars[row]!, bars[row]!) ?? null,
  }
  const targetsOf = useTargetsOf({ unit, series, hrefOf })
  const draw = (width: number, chart: string) => {
    const drawn = { chart, width, unit, series, bars }
    const targets = (direction === 'across' ? placesAcross : placesUp)(bars, width).flatMap((one) => targetsOf(...one))
    return direction === 'across'
      ? { height: heightAcross(bars.length), content: <BarsAcross {...drawn} />, targets }
      : { height: HEIGHT_UP, content: <BarsUp {...drawn} />, targets }
  }
  const frame = { title, summary, series, table, explain, note, draw }
  return <ChartFrame {...frame} />
}

/** The sums and intervals of all bars stand beside their pieces. */
function useBarTable(unit: string, series: readonly Series[], bars: readonly Bar[]): ChartTable {
  const t = useMessages({ en, de })
  const withIntervals = bars.some(hasInterval)
  return {
    columns: [
      t('name'),
      ...series.map(({ label }) => `${label} (${unit})`),
      `${t('total')} (${unit})`,
      ...(withIntervals ? [t('low', { unit }), t('high', { unit })] : []),
    ],
    rows: bars.map((bar) => [
      bar.label,
      ...series.map(({ key }) => bar.values[key] ?? null),
      sumOf(bar),
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
}

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
  const scale = linearScale(domainOf(bars, series), range)
  return (
    <>
      <ValueAxisBelow scale={scale} unit={unit} width={width} height={bars.length * ROW} />
      {bars.map((bar, at) => (
        <g key={bar.key} transform={`translate(0,${at * ROW})`}>
          <Label x={MARGIN} y={NAME - 6} room={width - MARGIN - SUM}>
            {bar.label}
          </Label>
          <text className="over-grid" x={range[1]} y={NAME - 6} textAnchor="end">
            {short(sumOf(bar))}
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
  return pressable(bars, step).map((some) => [
    some,
    { left: startOf(bars.indexOf(some[0]!)) - side, top: 0, width: some.length * step, height: HEIGHT_UP },
  ])
}

function BarsUp({ chart, width, unit, series, bars }: BarsProps) {
  const bottom = HEIGHT_UP - 28
  const scale = linearScale(domainOf(bars, series), [bottom, TOP])
  const bands = bandsUp(bars, width)
  // Names that would run into one another are left out, evenly.
  const every = Math.ceil(LABEL_PIXELS / bands.step)
  return (
    <>
      <ValueAxisLeft scale={scale} unit={unit} width={width} height={bottom - TOP} />
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
              <text x={middle} y={bottom + 20} textAnchor="middle">
                {bar.label}
              </text>
            )}
          </g>
        )
      })}
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
    <rect {...place} fill={fillOf(chart, series.look)}>
      <title>{`${series.label}: ${full(value)} ${unit}`}</title>
    </rect>
  )
}
