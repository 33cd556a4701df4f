// The files of a dataset release: read from data/, completed with the grid factors, and hashed.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { averageIntensity } from '@tgwf/co2'
import countries from 'i18n-iso-countries/index.js'
import { divide, rationalOfNumber, toDecimal, whole } from '../engine/numbers/rational.ts'
import { RELEASE_FILE } from './validate-tables.ts'
import { DATASETS } from './columns.ts'
import { parseCsvTable } from './csv-table.ts'

/** File contents by name, which is the path under data/. */
export type DatasetFiles = ReadonlyMap<string, string>

/** Why figures moved by more than 20 %, in a release that is not shipped; there may be none. */
export const CHANGES_FILE = 'changes.csv'
/** The name of the release that a release was made from; there may be none. */
export const PARENT_FILE = 'PARENT'
const GRID_FILE = 'grid-factors.csv'
const GRID_YEARS_FILE = 'grid-years.csv'
/** ISO 3166 has no code for Kosovo, and sources use different ones. */
const KOSOVO_ALPHA_3 = 'XKX'
const GRAMS_PER_KILOGRAM = whole(1000)

/**
 * Reads a directory like data/ and, if it has no `grid-factors.csv`, adds one that is generated from @tgwf/co2. The
 * result is the complete release: once stored, it can be read without that package. Missing files are omitted; the
 * validation reports them.
 */
export const readDatasetFiles = (directory: string): Map<string, string> =>
  releaseFiles((name) => readIfPresent(join(directory, name)))

/** The same from any other source. @param read returns undefined for a file that is missing */
export function releaseFiles(read: (name: string) => string | undefined): Map<string, string> {
  const names = [RELEASE_FILE, PARENT_FILE, CHANGES_FILE, ...Object.keys(DATASETS)]
  const files = new Map(
    names.flatMap((name) => {
      const text = read(name)
      return text === undefined ? [] : [[name, text] as const]
    }),
  )
  return files.has(GRID_FILE) ? files : files.set(GRID_FILE, createGridFactors(files.get(GRID_YEARS_FILE) ?? ''))
}

/** SHA-256 in hexadecimal. Names are sorted and each part follows its length, so that the input is unambiguous. */
export function hashContent(files: DatasetFiles): string {
  const hash = createHash('sha256')
  const names = [...files.keys()].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  for (const name of names) {
    const text = files.get(name)!
    hash.update(`${Buffer.byteLength(name)}:${name}${Buffer.byteLength(text)}:`).update(text)
  }
  return hash.digest('hex')
}

function readIfPresent(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

function createGridFactors(gridYears: string): string {
  const { rows: listed } = parseCsvTable(GRID_YEARS_FILE, gridYears, DATASETS[GRID_YEARS_FILE]!)
  const years = new Map(listed.map(({ cells }) => [cells['country'], [cells['year'], cells['latest_year']]]))
  const rows = Object.entries(averageIntensity.data).flatMap(([alpha3, grams]) => {
    const country = alpha3 === KOSOVO_ALPHA_3 ? 'XK' : countries.alpha3ToAlpha2(alpha3)
    // Zero means "no figure" in the package; longer codes are regions.
    if (country === undefined || !(grams > 0)) return []
    return [[country, ...(years.get(country) ?? years.get('other') ?? ['', '']), toKilograms(grams), 'ember'].join(',')]
  })
  return ['country,year,latest_year,factor_kg_co2e_per_kwh,source', ...rows.sort(), ''].join('\n')
}

// The shortest text of the double is the decimal stated in the package; all later arithmetic is exact.
const toKilograms = (grams: number): string => toDecimal(divide(rationalOfNumber(grams), GRAMS_PER_KILOGRAM))
