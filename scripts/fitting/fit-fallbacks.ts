// Fits the ladder of stand-ins from the catalogue: what devices/fallbacks.csv holds, and how well each level does.
import { COVERAGE_Z } from '../../src/engine/uncertainty/lognormal.ts'
import { FALLBACK_LEVELS, type DeviceType, type FallbackLevel } from '../../src/engine/reference/reference-data.ts'
import type { DatasetFiles } from '../../src/reference-data/files.ts'
import { borrowedSlopes } from './borrowed-slopes.ts'
import { fitLevels, readDatasheets, type FittedLevel, type FittedFallback, type LevelCandidate } from './fit-levels.ts'

const SOURCE = 'device-catalogue'
const LOG_DECIMALS = 4
/** Share of the sheets left out that an interval has to hold. */
const COVERAGE = 0.95
const STEP = 0.01
/** A spread of fewer sheets is not believed. */
const FEWEST_SHEETS = 5
/** As for a fallback without a fit. METHODOLOGY.md#uncertainty */
const BORROWED_LOG_SD = Math.log(3)
const HEADER =
  'level,type,brand,family,embodied_kg_co2e,intercept,per_ln_weight,per_ln_screen,weight_min_kg,weight_max_kg,' +
  'screen_min_inches,screen_max_inches,sheets,log_sd,interval_log_sd,source,note'

interface Judged {
  readonly fit: FittedLevel
  /** Standard deviation of ln E that the intervals are made with. */
  readonly intervalLogSd: number
  readonly note: string
}

/** The text of devices/fallbacks.csv, from the catalogue. */
export function fitFallbacks(files: DatasetFiles): string {
  const judgements = judge(fitLevels(readDatasheets(files)))
  const all = judgements.at(-1)!
  const rows = [
    ...judgements.slice(0, -1),
    ...borrowedSlopes(files, all.fit).map((fit) => borrowed(fit, judgements)),
    all,
  ].flatMap((judged) =>
    judged.fit.rungs.map((rung) => cellsOf(judged, rung)).sort((a, b) => compareTexts(a.slice(2, 4), b.slice(2, 4))),
  )
  return `${[HEADER, ...rows.map((cells) => cells.join(','))].join('\n')}\n`
}

/** Nothing tells how far a borrowed slope is off: its interval is that of the type's mean, else of an assumption. */
const borrowed = (fit: FittedLevel, judgements: readonly Judged[]): Judged => ({
  fit,
  intervalLogSd:
    judgements.find((one) => one.fit.level === 'type' && one.fit.type === fit.type)?.intervalLogSd ?? BORROWED_LOG_SD,
  note: 'The mean of few sheets at their usual weight with the slope of weight alone.',
})

const compareTexts = (a: readonly string[], b: readonly string[]): number => (a.join() < b.join() ? -1 : 1)

const rounded = (value: number): string => value.toFixed(LOG_DECIMALS)

function cellsOf({ fit, intervalLogSd, note }: Judged, rung: FittedFallback): readonly string[] {
  const [intercept = '', perLnWeight = '', perLnScreen = ''] = rung.coefficients
  const [weightMin = '', weightMax = ''] = rung.weights
  const [screenMin = '', screenMax = ''] = rung.screens
  return [
    ...[fit.level, fit.type, rung.brand, rung.family, rung.embodied, intercept, perLnWeight, perLnScreen],
    ...[weightMin, weightMax, screenMin, screenMax, rung.sheets].map(String),
    ...[rounded(fit.logSd), rounded(intervalLogSd), SOURCE, note],
  ]
}

/** True where the sheet lies in the interval that all others of its group make for it. */
const isInside = ({ logError }: LevelCandidate, logSd: number): boolean =>
  Math.abs(logError + logSd ** 2 / 2) <= COVERAGE_Z * logSd

/**
 * One factor a level, so that its intervals hold 95 % of the sheets left out; the spread itself is by type. A type with
 * too few sheets takes the widest spread of the others, and so does a device whose type is not known.
 */
function judge(levels: readonly FittedLevel[]): readonly Judged[] {
  const factors = new Map(
    FALLBACK_LEVELS.map((level) => [level, factorOf(levels.filter((one) => one.level === level))]),
  )
  const own = (fit: FittedLevel): number => fit.logSd * factors.get(fit.level)!
  const isFew = ({ trials }: FittedLevel): boolean => trials.length < FEWEST_SHEETS
  /** Who knows less is not surer: the regression of a type is for brands that have none of their own. */
  const leastOf = (fit: FittedLevel): number =>
    Math.max(0, ...levels.filter(({ level, type }) => level === 'brand-fit' && type === fit.type).map(own))
  const widest = Math.max(...levels.filter((fit) => fit.level === 'type' && !isFew(fit)).map(own))
  return levels.map((fit) => {
    if (isFew(fit)) {
      return {
        fit: { ...fit, logSd: widest },
        intervalLogSd: widest,
        note: 'Too few sheets: the widest spread of the other types.',
      }
    }
    const least = fit.level === 'weight-fit' ? widest : fit.level === 'type-fit' ? leastOf(fit) : 0
    return { fit, intervalLogSd: Math.max(own(fit), least), note: '' }
  })
}

function factorOf(levels: readonly FittedLevel[]): number {
  const fits = levels.filter(({ trials }) => trials.length >= FEWEST_SHEETS)
  const trials = fits.reduce((sum, fit) => sum + fit.trials.length, 0)
  let steps = Math.round(0.5 / STEP)
  const held = () =>
    fits.reduce((sum, fit) => sum + fit.trials.filter((one) => isInside(one, fit.logSd * steps * STEP)).length, 0)
  while (held() < COVERAGE * trials) steps += 1
  return steps * STEP
}

const LEVEL_NAMES: Readonly<Record<FallbackLevel, string>> = {
  family: 'brand and family',
  'brand-fit': 'brand and type, by weight and screen',
  brand: 'brand and type',
  'type-fit': 'type, by weight and screen',
  type: 'type',
  'weight-fit': 'weight alone',
}

/** How well each level does on the sheets left out of it, as a table. */
export function leaveOneOutTable(files: DatasetFiles): string {
  const judged = judge(fitLevels(readDatasheets(files))).filter(({ fit }) => fit.trials.length >= FEWEST_SHEETS)
  const rows = FALLBACK_LEVELS.flatMap((level) => {
    const own = judged.filter(({ fit }) => fit.level === level)
    if (own.length === 0) return []
    if (own.length === 1) return [rowOf(level, own[0]!.fit.type, own)]
    return [...own.map((one) => rowOf(level, one.fit.type, [one])), rowOf(level, 'all', own)]
  })
  return tableText([
    ['level', 'of', 'sheets left out', 'spread (GSD)', 'GSD of the interval', 'median error', 'held'],
    ...rows,
  ])
}

function rowOf(level: FallbackLevel, type: DeviceType | 'any' | 'all', own: readonly Judged[]): readonly string[] {
  const trials = own.flatMap(({ fit, intervalLogSd }) => fit.trials.map((trial) => ({ trial, intervalLogSd })))
  const errors = trials.map(({ trial }) => Math.abs(Math.exp(-trial.logError) - 1)).sort((a, b) => a - b)
  const held = trials.filter(({ trial, intervalLogSd }) => isInside(trial, intervalLogSd)).length
  const [spread, interval] = [own[0]!.fit.logSd, own[0]!.intervalLogSd].map((logSd) => Math.exp(logSd).toFixed(3))
  return [
    LEVEL_NAMES[level],
    type === 'any' ? 'all' : type,
    String(trials.length),
    ...(own.length === 1 ? [spread!, interval!] : ['', '']),
    percent((errors[Math.floor((errors.length - 1) / 2)]! + errors[Math.floor(errors.length / 2)]!) / 2),
    percent(held / trials.length),
  ]
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`

function tableText(rows: readonly (readonly string[])[]): string {
  const [head, ...body] = rows.map((cells) => `|${cells.map((cell) => (cell === '' ? ' |' : ` ${cell} |`)).join('')}`)
  return [head, `|${rows[0]!.map(() => '---').join('|')}|`, ...body].join('\n')
}
