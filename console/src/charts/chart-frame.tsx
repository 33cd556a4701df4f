// What every chart has around it: a title with its unit, a legend, its data as a table, and both to take along.
import { useRef, useState, type ReactNode } from 'react'
import { Link } from 'wouter'
import { useMessages } from '../i18n/language.tsx'
import de from '../components/messages.de.json'
import en from '../components/messages.en.json'
import type { Why } from '../components/explanation.ts'
import { Figure } from '../components/figure.tsx'
import { useToast } from '../components/toast.tsx'
import { ChartTargets, type Target } from './chart-targets.tsx'
import type { ChartTable } from './csv.ts'
import { downloadCsv, downloadPng } from './download.ts'
import type { Series } from './theme.ts'
import { Legend, Patterns, useChartId, type Marks } from './patterns.tsx'
import { useWidth } from './use-width.ts'
import '../components/data-table.css'
import '../components/wide-table.css'
import './charts.css'

export interface Drawing {
  readonly height: number
  readonly content: ReactNode
  /** What of it can be opened. */
  readonly targets?: readonly Target[]
}

/** Why the numbers of the table are what they are. */
export interface ExplainCell {
  readonly unit: string
  /** By places in the table, each from 0, the name of a row being column 0. */
  readonly whyOf: (row: number, column: number) => Why
  /** Where what is behind a row is shown, if anywhere. */
  readonly hrefOf?: (row: number) => string | null
}

export interface ChartFrameProps {
  readonly title: string
  /** What the picture says, in a sentence, for whoever does not see it; the table has the rest. */
  readonly summary: string
  /** What looks alike in the chart. */
  readonly series: readonly Series[]
  readonly table: ChartTable
  readonly explain: ExplainCell
  readonly note?: ReactNode
  readonly marks?: Marks
  /** @param width in pixels; @param chart an id for what the drawing names */
  readonly draw: (width: number, chart: string) => Drawing
}

export function ChartFrame({ title, summary, series, table, explain, note, marks, draw }: ChartFrameProps) {
  const t = useMessages({ en, de })
  const toast = useToast()
  const chart = useChartId()
  const [area, width] = useWidth<HTMLDivElement>()
  const svg = useRef<SVGSVGElement>(null)
  const [showsTable, setShowsTable] = useState(false)
  const drawing = width > 0 ? draw(width, chart) : null
  const png = () => {
    if (!svg.current) return
    downloadPng({ title, svg: svg.current, chart, series }).catch(() => toast(t('noPng'), t('noPngHelp')))
  }
  return (
    <figure className="chart card">
      <figcaption className="chart-top">
        <h2>{title}</h2>
        <ChartButtons
          title={title}
          showsTable={showsTable}
          onTable={() => setShowsTable(!showsTable)}
          onCsv={() => downloadCsv(title, table)}
          onPng={png}
        />
      </figcaption>
      <Legend series={series} chart={chart} {...marks} />
      <div ref={area} className="chart-area">
        {drawing && (
          <svg ref={svg} role="img" aria-label={summary} width={width} height={drawing.height}>
            <Patterns chart={chart} />
            {/* What is drawn is told by the label above, and in full by the table. */}
            <g aria-hidden>{drawing.content}</g>
          </svg>
        )}
        {drawing?.targets && drawing.targets.length > 0 && <ChartTargets title={title} targets={drawing.targets} />}
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
  const t = useMessages({ en, de })
  return (
    <div className="chart-buttons">
      <button className="button button-small" aria-expanded={showsTable} onClick={onTable}>
        {t(showsTable ? 'hideTable' : 'showTable')}
      </button>
      <button className="button button-small" aria-label={t('exportCsv', { title })} onClick={onCsv}>
        {t('csv')}
      </button>
      <button className="button button-small" aria-label={t('exportPng', { title })} onClick={onPng}>
        {t('png')}
      </button>
    </div>
  )
}

type TableOfChartProps = Pick<ChartFrameProps, 'title' | 'table' | 'explain'>

function TableOfChart({ title, table: { columns, rows }, explain }: TableOfChartProps) {
  const t = useMessages({ en, de })
  return (
    <div className="chart-table" role="region" aria-label={t('tableOf', { title })} tabIndex={0}>
      <table>
        <caption className="hidden-visually">{t('tableOf', { title })}</caption>
        <thead>
          <tr>
            {columns.map((column, at) => (
              <th key={at} scope="col" className={at > 0 ? 'number' : 'name'}>
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, ...cells], at) => (
            <tr key={at}>
              <th scope="row">
                <RowName href={explain.hrefOf?.(at) ?? null}>{name}</RowName>
              </th>
              {cells.map((cell, place) => (
                <td key={place} className="number">
                  {typeof cell === 'number' ? (
                    <Figure value={cell} unit={explain.unit} why={explain.whyOf(at, place + 1)} />
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

const RowName = ({ href, children }: { readonly href: string | null; readonly children: ReactNode }) =>
  href === null ? children : <Link href={href}>{children}</Link>
