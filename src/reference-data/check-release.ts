// Checks a release before it is installed: the rules for datasets, its parent, and reasons for figures that jump.
import type { FigureChange, ReleaseDifference } from '../engine/reference/release-difference.ts'
import { runToCompletion } from '../engine/numbers/steps.ts'
import { parseCsvTable } from './csv-table.ts'
import { CHANGES_FILE, PARENT_FILE, type DatasetFiles } from './files.ts'
import type { Dataset } from './column-forms.ts'
import { compareReleases, isJump } from './release-figures.ts'
import { validateDatasets } from './validate-tables.ts'

/** Like a violation of the datasets, by the rules for a release among others. */
export interface ReleaseViolation {
  readonly file: string
  readonly line: number
  readonly rule: string
  readonly message: string
}

export interface CheckedRelease {
  readonly faults: readonly ReleaseViolation[]
  /** Null without a release to compare with. */
  readonly difference: ReleaseDifference | null
  readonly jumps: readonly FigureChange[]
}

const CHANGES: Dataset = {
  key: ['key'],
  columns: {
    key: { form: { kind: 'text' }, optional: false },
    reason: { form: { kind: 'text' }, optional: false },
  },
}

/**
 * All faults of a release at once.
 * @param newest the files of the newest installed release, by which jumps are judged; null if there is none
 */
export function checkRelease(files: DatasetFiles, newest: DatasetFiles | null): CheckedRelease {
  const faults: ReleaseViolation[] = [...validateDatasets(files), ...checkParent(files)]
  const { reasons, faults: ofReasons } = readReasons(files)
  faults.push(...ofReasons)
  // Figures of files that break rules cannot be compared.
  if (faults.length > 0 || newest === null) return { faults, difference: null, jumps: [] }
  const difference = runToCompletion(compareReleases(newest, files))
  const jumps = difference.changes.filter(isJump)
  const unexplained = jumps.filter(({ key }) => !reasons.some((pattern) => covers(pattern, key)))
  return { faults: unexplained.map(faultOfJump), difference, jumps }
}

const faultOfJump = ({ key, old, new: current, percent }: FigureChange): ReleaseViolation => ({
  file: CHANGES_FILE,
  line: 1,
  rule: 'unexplained-jump',
  message:
    `${key} moves from ${old} to ${current} (${percent === null ? 'from 0' : `${percent} %`}), more than 20 %: add a ` +
    `row with its key and the reason`,
})

/** `*` at the end of a key stands for any other characters. */
const covers = (pattern: string, key: string): boolean =>
  pattern.endsWith('*') ? key.startsWith(pattern.slice(0, -1)) : pattern === key

function readReasons(files: DatasetFiles): {
  readonly reasons: readonly string[]
  readonly faults: readonly ReleaseViolation[]
} {
  const text = files.get(CHANGES_FILE)
  if (text === undefined) return { reasons: [], faults: [] }
  const { rows, breaches } = parseCsvTable(CHANGES_FILE, text, CHANGES)
  const faults = rows.flatMap(({ line, cells }): ReleaseViolation[] =>
    ['key', 'reason'].flatMap((column) =>
      cells[column]?.trim()
        ? []
        : [{ file: CHANGES_FILE, line, rule: 'empty-cell', message: `${column}: must not be empty` }],
    ),
  )
  return { reasons: rows.map(({ cells }) => cells['key'] ?? ''), faults: [...breaches, ...faults] }
}

/** As the name of a release ends with digits of its hash, it names one set of figures. */
const NAME_FORM = /^\S{1,40}-[0-9a-f]{8}$/

function checkParent(files: DatasetFiles): ReleaseViolation[] {
  const parent = files.get(PARENT_FILE)
  if (parent === undefined || NAME_FORM.test(parent.trim())) return []
  const message = `"${parent.trim()}" is not the name of a release, such as 2026.12-0a1b2c3d`
  return [{ file: PARENT_FILE, line: 1, rule: 'bad-parent', message }]
}
