// The figures of a release under keys that say what each is of, and how the figures of two releases differ.
import {
  ZERO,
  compare,
  divide,
  multiply,
  parseDecimal,
  subtract,
  toDecimal,
  whole,
  type Rational,
} from '../engine/numbers/rational.ts'
import { isFar } from '../engine/reference/figure-jump.ts'
import {
  FIGURE_KINDS,
  type FigureChange,
  type FigureCounts,
  type FigureKind,
  type ReleaseDifference,
} from '../engine/reference/release-difference.ts'
import type { Resumable } from '../engine/numbers/steps.ts'
import { DATASETS } from './columns.ts'
import { parseCsvTable } from './csv-table.ts'
import { RELEASE_FILE } from './validate-tables.ts'
import type { DatasetFiles } from './files.ts'

/**
 * The files with the figures that orders and the inventory of electricity are estimated with, and what their rows are
 * called. Files that others are made from (`use-phase.csv`, `type-assumptions.csv`) and words for matching hold none.
 */
const FILES: Readonly<Record<FigureKind, string>> = {
  model: 'devices/device-models.csv',
  known_device: 'devices/known-devices.csv',
  type_default: 'devices/type-defaults.csv',
  fallback: 'devices/fallbacks.csv',
  transportation: 'transports.csv',
  distance_adjustment: 'distance-adjustments.csv',
  packaging: 'packagings.csv',
  it_equipment: 'it-equipment.csv',
  grid_factor: 'grid-factors.csv',
  grid_series_factor: 'electricity-maps/yearly-factors.csv',
  grid_region: 'grid-regions.csv',
  grid_loss: 'grid-losses.csv',
  refurbishment: 'refurbishments.csv',
}

/** How many sheets a figure was fitted from: no figure itself. */
const COUNTS = /(?:^|_)sheets$/

/** Figures as decimals by key; cells that state nothing have none. */
type Figures = ReadonlyMap<string, string>

/** The figures of one kind. */
function figuresOfKind(files: DatasetFiles, kind: FigureKind): Figures {
  const file = FILES[kind]
  const dataset = DATASETS[file]!
  const columns = Object.entries(dataset.columns).flatMap(([name, { form }]) =>
    form.kind === 'number' && !dataset.key.includes(name) && !COUNTS.test(name) ? [name] : [],
  )
  return new Map(
    parseCsvTable(file, files.get(file), dataset).rows.flatMap(({ cells }) => {
      const row = [kind, ...dataset.key.map((name) => cells[name] ?? '')].join('/')
      return columns.flatMap((name) => (cells[name] ? [[`${row}/${name}`, cells[name]] as const] : []))
    }),
  )
}

/** How many figures of each kind a release has. Yields between files, so that other work is not delayed for long. */
export function* countFigures(files: DatasetFiles): Resumable<FigureCounts> {
  const counts: [FigureKind, number][] = []
  for (const kind of FIGURE_KINDS) {
    counts.push([kind, figuresOfKind(files, kind).size])
    yield
  }
  return Object.fromEntries(counts) as FigureCounts
}

/** What differs from release `a` to release `b`. Yields between files, so that other work is not delayed for long. */
export function* compareReleases(a: DatasetFiles, b: DatasetFiles): Resumable<ReleaseDifference> {
  const changes: FigureChange[] = []
  const withChanges = new Set<string>()
  for (const kind of FIGURE_KINDS) {
    const file = FILES[kind]
    if (a.get(file) === b.get(file)) continue
    const [before, after] = [figuresOfKind(a, kind), figuresOfKind(b, kind)]
    yield
    const found = [...new Set([...before.keys(), ...after.keys()])]
      .sort()
      .flatMap((key) => changeOf(kind, key, before.get(key) ?? null, after.get(key) ?? null))
    if (found.length > 0) withChanges.add(file)
    changes.push(...found)
    yield
  }
  const names = [...new Set([...a.keys(), ...b.keys()])].sort()
  const otherFiles = names.filter(
    (name) => name !== RELEASE_FILE && a.get(name) !== b.get(name) && !withChanges.has(name),
  )
  return { changes, otherFiles }
}

function changeOf(kind: FigureKind, key: string, old: string | null, current: string | null): FigureChange[] {
  if (old === null || current === null) {
    return [{ kind, key, change: old === null ? 'added' : 'removed', old, new: current, percent: null }]
  }
  const [before, after] = [parseDecimal(old), parseDecimal(current)]
  if (compare(before, after) === 0) return []
  const moved = relativeChange(before, after)
  const percent = moved && toDecimal(multiply(moved, whole(100)), 2)
  return [{ kind, key, change: 'changed', old, new: current, percent }]
}

/** Null if the old figure is 0. */
const relativeChange = (before: Rational, after: Rational): Rational | null =>
  compare(before, ZERO) === 0 ? null : divide(subtract(after, before), before)

/** True if a figure moved so far that a release has to say why. */
export const isJump = ({ change, old, new: current }: FigureChange): boolean =>
  change === 'changed' && isFar(parseDecimal(old!), parseDecimal(current!))
