// bench/results/bench.md: the figures of one run, the targets, and what limits them.
import { cpus } from 'node:os'
import type { EngineFigure } from './engine.ts'
import type { Figures, Target } from './figures.ts'
import { CONTENDER_NAMES, limitsOf } from './limits.ts'
import { MEASURED_ON } from './measured-on.ts'
import { resultHead } from './result-file.ts'
import { CONNECTIONS, type ContenderId, type Pace } from './rounds.ts'
import type { StepFigures } from './stages.ts'

export interface Report {
  readonly command: string
  readonly pace: Pace
  readonly figures: ReadonlyMap<ContenderId, Figures>
  readonly targets: readonly Target[]
  readonly engine: EngineFigure
  readonly steps: StepFigures
  readonly memory: { readonly now: number; readonly peak: number }
  readonly postgres: { readonly version: string; readonly settings: Readonly<Record<string, string>> }
  readonly answerBytes: number
}

export function reportText(report: Report): string {
  const bareServer = report.figures.get('bare')?.perSecond ?? NaN
  const sections = [
    resultHead('bench'),
    conditions(report),
    '## Targets',
    table(['what', 'wanted', 'measured', 'reached'], report.targets.map(targetRow)),
    '## Figures',
    figuresTable(report.figures),
    explanation(report),
    "## An order's own steps",
    stepsTable(report.steps),
    '## What limits them',
    ...[...report.figures].map(([id, figures]) => limitsOf(id, figures, cpus().length, bareServer)),
  ]
  return `${sections.join('\n\n')}\n`
}

function conditions({ command, pace, postgres }: Report): string {
  const seconds = (ms: number) => `${ms / 1000} s`
  return [
    machineLines(postgres),
    `- \`${command}\`: ${pace.rounds} round(s); ${seconds(pace.windowMs)} measured after ` +
      `${seconds(pace.warmUpMs)} of warm-up, and ${seconds(pace.firstMs)} on each before the first round; ` +
      `${CONNECTIONS} connections, each with one request in flight`,
  ].join('\n')
}

/** When and where it was measured, as a list. */
export function machineLines(postgres: Report['postgres']): string {
  const settings = Object.entries(postgres.settings)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ')
  return [
    `- Date: ${new Date().toISOString()}`,
    `- Machine: ${MEASURED_ON}; server, PostgreSQL and load generator share it`,
    `- PostgreSQL ${postgres.version} (${settings})`,
  ].join('\n')
}

export const targetRow = ({ name, wanted, measured, reached }: Target): readonly string[] => [
  name,
  wanted,
  measured,
  reached ? 'yes' : '**no**',
]

function figuresTable(figures: ReadonlyMap<ContenderId, Figures>): string {
  const head = [
    '',
    'requests/s',
    'by round',
    'p50 ms',
    'p95 ms',
    'p99 ms',
    'max ms',
    'errors',
    'server µs',
    'PostgreSQL µs',
    'generator µs',
    'CPU busy',
  ]
  return table(
    head,
    [...figures].map(([id, figure]) => figureRow(CONTENDER_NAMES[id], figure)),
  )
}

function figureRow(name: string, figure: Figures): readonly string[] {
  const { p50Ms, p95Ms, p99Ms, maxMs, serverMicros, postgresMicros, generatorMicros } = figure
  return [
    name,
    whole(figure.perSecond),
    figure.perSecondByRound.map(whole).join(' · '),
    ...[p50Ms, p95Ms, p99Ms, maxMs].map((ms) => ms.toFixed(1)),
    String(figure.errors),
    ...[serverMicros, postgresMicros, generatorMicros].map((micros) => micros.toFixed(1)),
    `${Math.round(figure.busyShare * 100)} %`,
  ]
}

function stepsTable(steps: StepFigures): string {
  const rows = Object.entries(steps)
  const all = rows.reduce((sum, [, micros]) => sum + micros, 0)
  return table(
    ['step', 'µs'],
    [...rows, ['all of these', all] as const].map(([step, micros]) => [step, micros.toFixed(1)]),
  )
}

function explanation({ answerBytes, engine, memory }: Report): string {
  return [
    `Responses have ${answerBytes} bytes.`,
    `The engine alone: ${whole(engine.perSecond)} orders/s on one core.`,
    `Cradle's Node process: ${memory.now.toFixed(0)} MB at the end, ${memory.peak.toFixed(0)} MB at its peak.`,
  ].join(' ')
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

export const whole = (number: number): string => Math.round(number).toLocaleString('en')
