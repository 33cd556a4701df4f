// Fits the defaults by device type from the catalogue: what stands in for an unknown lifetime, use share or model.
import { DEVICE_TYPES, type DeviceType } from '../../src/engine/reference/reference-data.ts'
import {
  ONE,
  ZERO,
  add,
  compare,
  divide,
  multiply,
  parseDecimal,
  roundHalfAway,
  subtract,
  toDecimal,
  whole,
  type Rational,
} from '../../src/engine/numbers/rational.ts'
import { rowsOf, type Tables } from '../../src/reference-data/csv-table.ts'
import { readTables } from '../../src/reference-data/validate-tables.ts'
import type { DatasetFiles } from '../../src/reference-data/files.ts'

// A median of fewer sheets says more about which sheets were found than about the type.
const FEWEST_SHEETS = 5
const DECIMALS = 4
const SOURCE = 'device-catalogue'
const HEADER =
  'type,embodied_kg_co2e,embodied_sheets,use_share,use_share_sheets,lifetime_months,lifetime_sheets,' +
  'yearly_energy_kwh,yearly_energy_sheets,weight_kg,weight_sheets,assumed,source,note'

interface Sheet {
  readonly type: string
  readonly total: Rational | null
  readonly use: Rational | null
  readonly lifetime: Rational | null
  readonly energy: Rational | null
  readonly weight: Rational | null
}

interface Fit {
  readonly useShares: readonly Rational[]
  readonly lifetimes: readonly Rational[]
  readonly useShare: Rational
  readonly lifetime: Rational
  readonly notes: readonly string[]
}

/** The text of devices/type-defaults.csv, from the other files. */
export function fitTypeDefaults(files: DatasetFiles): string {
  const tables = readTables(files)
  const sheets = readSheets(tables)
  const rows = [
    ...DEVICE_TYPES.map((type) =>
      fitType(
        type,
        sheets.filter((sheet) => sheet.type === type),
        tables,
      ),
    ),
    fitAny(sheets),
  ]
  return `${[HEADER, ...rows.map((cells) => cells.map(quote).join(','))].join('\n')}\n`
}

const quote = (cell: string): string => (cell.includes(',') ? `"${cell}"` : cell)

function readSheets(tables: Tables): Sheet[] {
  const read = (text: string | undefined) => (text ? parseDecimal(text) : null)
  return rowsOf(tables, 'devices/device-models.csv')
    .filter(({ cells }) => cells['in_type_default'] === 'yes')
    .map(({ cells }) => ({
      type: cells['type']!,
      total: read(cells['total_kg_co2e']),
      use: read(cells['use_kg_co2e']),
      lifetime: read(cells['lifetime_months']),
      energy: read(cells['yearly_energy_kwh']),
      weight: read(cells['weight_kg']),
    }))
}

function fitType(type: DeviceType, sheets: readonly Sheet[], tables: Tables): string[] {
  const fit = fitUse(sheets, findAssumption(type, tables))
  const embodied = embodiedOf(sheets, fit.useShare)
  const energy = fitEnergy(type, sheets, tables)
  const weights = statedBy(sheets, ({ weight }) => weight)
  const notes = [...fit.notes, ...embodied.notes, ...energy.notes]
  return toCells(type, fit, notes, {
    embodied: round(mean(embodied.values)),
    embodiedSheets: embodied.values.length,
    energy: energy.value,
    energySheets: energy.sheets,
    weight: weights.length >= FEWEST_SHEETS ? round(median(weights)) : '',
    weightSheets: weights.length,
  })
}

/** Nothing is known but perhaps the weight: the device is charged by that, and lives as long as the median sheet. */
const fitAny = (sheets: readonly Sheet[]): string[] =>
  toCells('any', fitUse(sheets, undefined), [], {
    embodied: '',
    embodiedSheets: 0,
    energy: '',
    energySheets: 0,
    weight: '',
    weightSheets: 0,
  })

function toCells(
  type: string,
  fit: Fit,
  notes: readonly string[],
  figures: {
    embodied: string
    embodiedSheets: number
    energy: string
    energySheets: number
    weight: string
    weightSheets: number
  },
): string[] {
  return [
    type,
    figures.embodied,
    String(figures.embodiedSheets),
    round(fit.useShare),
    String(fit.useShares.length),
    String(roundHalfAway(fit.lifetime)),
    String(fit.lifetimes.length),
    figures.energy,
    String(figures.energySheets),
    figures.weight,
    String(figures.weightSheets),
    Math.min(fit.useShares.length, fit.lifetimes.length) < FEWEST_SHEETS ? 'yes' : 'no',
    SOURCE,
    notes.join(' '),
  ]
}

function fitUse(sheets: readonly Sheet[], assumption: Assumption | undefined): Fit {
  const useShares = statedBy(sheets, ({ total, use }) => total && use && divide(use, total))
  const lifetimes = statedBy(sheets, ({ lifetime }) => lifetime)
  const [share, shareNote] = choose('use share', useShares, assumption?.useShare)
  const [lifetime, lifetimeNote] = choose('lifetime', lifetimes, assumption?.lifetime)
  return { useShares, lifetimes, useShare: share, lifetime, notes: [...shareNote, ...lifetimeNote] }
}

/** The median where enough sheets state one; else the assumption; else the median of what there is. */
function choose(what: string, values: readonly Rational[], assumed: Rational | undefined): [Rational, string[]] {
  if (values.length >= FEWEST_SHEETS) return [median(values), []]
  if (assumed) return [assumed, [`The ${what} is an assumption (type-assumptions.csv).`]]
  return [median(values), [`The ${what} rests on ${values.length} sheets only.`]]
}

/** E = total - use. A type where no sheet states its use takes total x (1 - use share), and says so. */
function embodiedOf(sheets: readonly Sheet[], useShare: Rational): { values: Rational[]; notes: string[] } {
  const values = statedBy(sheets, ({ total, use }) => total && use && subtract(total, use))
  if (values.length > 0) return { values, notes: [] }
  const rest = subtract(ONE, useShare)
  return {
    values: statedBy(sheets, ({ total }) => total && multiply(total, rest)),
    notes: ['No sheet states its use stage: embodied is the total less the use share.'],
  }
}

function fitEnergy(type: DeviceType, sheets: readonly Sheet[], tables: Tables) {
  const values = statedBy(sheets, ({ energy }) => energy)
  if (values.length >= FEWEST_SHEETS) return { value: round(median(values)), sheets: values.length, notes: [] }
  const known = statedByMakers(type, tables)
  if (known.length >= FEWEST_SHEETS) {
    const note = `Yearly energy: the median of ${known.length} rows of known-devices.csv.`
    return { value: round(median(known)), sheets: values.length, notes: [note] }
  }
  const row = rowsOf(tables, 'use-phase.csv').find(
    ({ cells }) => cells['type'] === type && cells['in_type_default'] === 'yes',
  )
  if (!row) return { value: '', sheets: values.length, notes: [] }
  const note = `Yearly energy: ${row.cells['name']} of use-phase.csv.`
  return { value: row.cells['yearly_energy_kwh']!, sheets: values.length, notes: [note] }
}

/** What makers and agencies state of devices without a footprint. Handhelds are not devices of the living room. */
const statedByMakers = (type: DeviceType, tables: Tables): Rational[] =>
  rowsOf(tables, 'devices/known-devices.csv').flatMap(({ cells }) => {
    const isUsual = cells['type'] === type && cells['handheld'] !== 'yes' && cells['yearly_energy_kwh']
    return isUsual ? [parseDecimal(cells['yearly_energy_kwh']!)] : []
  })

interface Assumption {
  readonly lifetime: Rational
  readonly useShare: Rational | undefined
}

function findAssumption(type: DeviceType, tables: Tables): Assumption | undefined {
  const cells = rowsOf(tables, 'type-assumptions.csv').find((row) => row.cells['type'] === type)?.cells
  if (!cells) return undefined
  const share = cells['use_share']
  return { lifetime: parseDecimal(cells['lifetime_months']!), useShare: share ? parseDecimal(share) : undefined }
}

const statedBy = (sheets: readonly Sheet[], figure: (sheet: Sheet) => Rational | null): Rational[] =>
  sheets.map(figure).filter((value) => value !== null)

const mean = (values: readonly Rational[]): Rational => divide(values.reduce(add, ZERO), whole(values.length))

function median(values: readonly Rational[]): Rational {
  const sorted = [...values].sort(compare)
  const middle = sorted.length / 2
  return sorted.length % 2 === 1 ? sorted[Math.floor(middle)]! : mean([sorted[middle - 1]!, sorted[middle]!])
}

const round = (value: Rational): string => toDecimal(value, DECIMALS)
