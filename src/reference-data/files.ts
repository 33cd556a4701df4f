// The files that a release of the figures consists of: read from data/, completed by the grid factors, and hashed.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { averageIntensity } from '@tgwf/co2'
import countries from 'i18n-iso-countries'
import { divide, rationalOfNumber, toDecimal, whole } from '../engine/numbers/rational.ts'
import { RELEASE_FILE } from './validate-tables.ts'
import { DATASETS } from './columns.ts'
import { parseCsvTable } from './csv-table.ts'

/** Text by name, the name being the path under data/. */
export type DatasetFiles = ReadonlyMap<string, string>

const GRID_FILE = 'grid-factors.csv'
const GRID_YEARS_FILE = 'grid-years.csv'
/** ISO 3166 has no code for Kosovo, and those that use one differ. */
const KOSOVO_ALPHA_3 = 'XKX'
const GRAMS_PER_KILOGRAM = whole(1000)

/**
 * Reads a directory like data/ and adds `grid-factors.csv`, generated from @tgwf/co2.
 * What is returned is all that a release consists of: stored, it can be read again without that package.
 * A file that is not there is left out, for the check to report.
 */
export function readDatasetFiles(directory: string): Map<string, string> {
  const names = [RELEASE_FILE, ...Object.keys(DATASETS).filter((name) => name !== GRID_FILE)]
  const files = new Map(
    names.flatMap((name) => {
      const text = readIfPresent(join(directory, name))
      return text === undefined ? [] : [[name, text] as const]
    }),
  )
  return files.set(GRID_FILE, createGridFactors(files.get(GRID_YEARS_FILE) ?? ''))
}

/** SHA-256 in hexadecimal. Names are sorted, and lengths stand before what they measure: no two sets read alike. */
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
    // Zero stands for "no figure" in the package; the longer codes are regions.
    if (country === undefined || !(grams > 0)) return []
    return [[country, ...(years.get(country) ?? years.get('other') ?? ['', '']), toKilograms(grams), 'ember'].join(',')]
  })
  return ['country,year,latest_year,factor_kg_co2e_per_kwh,source', ...rows.sort(), ''].join('\n')
}

// The shortest text of the double is the decimal that the package states; from there on the arithmetic is exact.
const toKilograms = (grams: number): string => toDecimal(divide(rationalOfNumber(grams), GRAMS_PER_KILOGRAM))
