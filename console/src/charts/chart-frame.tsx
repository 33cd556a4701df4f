// What every chart has around it: a title with its unit, a legend, its data as a table, and both to take along.
import { useId, useRef, useState, type ReactNode } from 'react'
import { useFormat } from '../language/format.ts'
import { useMessages } from '../language/language.tsx'
import de from '../components/messages.de.json'
import en from '../components/messages.en.json'
import type { Why } from '../components/explanation.ts'
import { Figure } from '../components/figure.tsx'
import type { ChartTable } from './csv.ts'
import { downloadCsv, downloadPng } from './download.ts'
import type { Series } from './looks.ts'
import { Legend, Patterns } from './patterns.tsx'
import { useWidth } from './use-width.ts'
import '../components/data-table.css'
import './charts.css'

export interface Drawing {
  readonly height: number
  readonly content: ReactNode
}

export interface ExplainCell {
  readonly unit: string
  /** By places in the table, each from 0, the name of a row being column 0; undefined for what has no explanation. */
  readonly whyOf: (row: number, column: number) => Why | undefined
}

export interface ChartFrameProps {
  readonly title: string
  /** What the picture says, in a sentence, for whoever does not see it; the table has the rest. */
  readonly summary: string
  /** What looks alike in the chart; without it there is no legend. */
  readonly series?: readonly Series[]
  readonly table: ChartTable
  /** Explains the numbers of the table. */
  readonly explain?: ExplainCell | undefined
  readonly note?: ReactNode
  /** @param width in pixels; @param chart an id for what the drawing names */
  readonly draw: (width: number, chart: string) => Drawing
}

export function ChartFrame({ title, summary, series, table, explain, note, draw }: ChartFrameProps) {
  const chart = `chart${useId().replace(/\W/g, '')}`
  const [area, width] = useWidth<HTMLDivElement>()
  const svg = useRef<SVGSVGElement>(null)
  const [showsTable, setShowsTable] = useState(false)
  const drawing = width > 0 ? draw(width, chart) : null
  return (
    <figure className="chart card">
      <figcaption className="chart-top">
        <h2>{title}</h2>
        <ChartButtons
          title={title}
          showsTable={showsTable}
          onTable={() => setShowsTable(!showsTable)}
          onCsv={() => downloadCsv(title, table)}
          onPng={() => void (svg.current && downloadPng(title, svg.current))}
        />
      </figcaption>
      {series && <Legend series={series} chart={chart} />}
      <div ref={area} className="chart-area">
        {drawing && (
          <svg ref={svg} role="img" aria-label={summary} width={width} height={drawing.height}>
            <Patterns chart={chart} />
            {/* What is drawn is told by the label above, and in full by the table. */}
            <g aria-hidden>{drawing.content}</g>
          </svg>
        )}
      </div>
      {note}
      {showsTable && <TableOfChart title={title} table={table} explain={explain} />}
    </figure>
  )
}

interface ChartButtonsProps {
  readonly title: string
  readonly showsTable: boolean
  readonly onTable: () => void
  readonly onCsv: () => void
  readonly onPng: () => void
}

function ChartButtons({ title, showsTable, onTable, onCsv, onPng }: ChartButtonsProps) {
  const say = useMessages({ en, de })
  return (
    <div className="chart-buttons">
      <button className="button button-small" aria-expanded={showsTable} onClick={onTable}>
        {say(showsTable ? 'hideTable' : 'showTable')}
      </button>
      <button className="button button-small" aria-label={say('exportCsv', { title })} onClick={onCsv}>
        {say('csv')}
      </button>
      <button className="button button-small" aria-label={say('exportPng', { title })} onClick={onPng}>
        {say('png')}
      </button>
    </div>
  )
}

type TableOfChartProps = Pick<ChartFrameProps, 'title' | 'table' | 'explain'>

function TableOfChart({ title, table: { columns, rows }, explain }: TableOfChartProps) {
  const say = useMessages({ en, de })
  return (
    <div className="chart-table" role="region" aria-label={say('tableOf', { title })} tabIndex={0}>
      <table>
        <caption className="hidden-visually">{say('tableOf', { title })}</caption>
        <thead>
          <tr>
            {columns.map((column, at) => (
              <th key={column} scope="col" className={at > 0 ? 'number' : undefined}>
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, ...cells], at) => (
            <tr key={at}>
              <th scope="row">{name}</th>
              {cells.map((cell, place) => (
                <td key={place} className="number">
                  {typeof cell === 'number' ? (
                    <NumberCell value={cell} unit={explain?.unit} why={explain?.whyOf(at, place + 1)} />
                  ) : (
                    (cell ?? '–')
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface NumberCellProps {
  readonly value: number
  readonly unit: string | undefined
  readonly why: Why | undefined
}

function NumberCell({ value, unit, why }: NumberCellProps) {
  const { full } = useFormat()
  return unit === undefined || why === undefined ? full(value) : <Figure value={value} unit={unit} why={why} />
}
