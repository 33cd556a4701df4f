// The patterns that fill what is drawn, and the legend that says what they stand for.
import { PatternCircles, PatternLines } from '@visx/pattern'
import { useId } from 'react'
import './legend.css'
import { AHEAD, LOOKS, colourOf, fillOf, type Look, type Series } from './theme.ts'

const SIZE = 8
const DIRECTIONS = {
  use: ['diagonal'],
  transport: ['horizontal'],
  end: ['diagonalRightToLeft'],
  less: ['vertical', 'horizontal'],
} as const

/** @param chart an id, since the patterns of two charts on a page must not have the same names */
export const Patterns = ({ chart }: { readonly chart: string }) => (
  <defs>
    {([...LOOKS, AHEAD] as const).map((look) => (
      <Pattern key={look} id={`${chart}-${look}`} look={look} />
    ))}
  </defs>
)

/** What is made, and totals, are plain. */
function Pattern({ id, look }: { readonly id: string; readonly look: Look }) {
  if (look === AHEAD)
    return (
      <PatternLines
        id={id}
        width={SIZE}
        height={SIZE}
        background="var(--surface)"
        stroke={colourOf(look)}
        strokeWidth={2}
        orientation={['diagonal']}
      />
    )
  const size = { id, width: SIZE, height: SIZE, background: colourOf(look) }
  if (look === 'packaging' || look === 'rest') return <PatternCircles {...size} radius={1.5} fill="var(--surface)" />
  if (look === 'make' || look === 'total') return <PatternLines {...size} stroke="none" orientation={['diagonal']} />
  return <PatternLines {...size} stroke="var(--surface)" strokeWidth={1.5} orientation={[...DIRECTIONS[look]]} />
}

/** An id for the patterns of one drawing, fit for an address within the page. */
export const useChartId = (): string => `chart${useId().replace(/\W/g, '')}`

/** The legend of what is drawn in the rows of a table, with the patterns that fill it. */
export const LegendOfRows = (legend: LegendProps) => (
  <div>
    <svg width="0" height="0" className="hidden-visually" aria-hidden>
      <Patterns chart={legend.chart} />
    </svg>
    <Legend {...legend} />
  </div>
)

/** What a chart has besides its series: a line over its bars, and a bar that is not complete. */
export interface Marks {
  readonly line?: string | undefined
  readonly running?: string | undefined
}

interface LegendProps extends Marks {
  readonly series: readonly Series[]
  readonly chart: string
}

export function Legend({ series, chart, line, running }: LegendProps) {
  return (
    <ul className="legend">
      {series.map(({ key, label, look }) => (
        <li key={key}>
          <svg width="16" height="16" aria-hidden>
            <rect width="16" height="16" rx="3" fill={fillOf(chart, look)} />
          </svg>
          {label}
        </li>
      ))}
      {line !== undefined && (
        <li>
          <svg width="22" height="16" aria-hidden>
            <path className="line-before" d="M1,8H21" />
          </svg>
          {line}
        </li>
      )}
      {running !== undefined && (
        <li>
          <svg width="16" height="16" aria-hidden>
            <rect className="bar-running" width="16" height="16" rx="3" />
          </svg>
          {running}
        </li>
      )}
    </ul>
  )
}
