// Collects the inputs of a statement's lines, each once and numbered: calculation bases, factors, sources and releases.
import { explainLine } from '../engine/explanation/calculation.ts'
import type { EmissionLine, CalculationInputs } from '../engine/estimate.ts'
import type { ReferenceData, Source } from '../engine/reference/reference-data.ts'
import { matchLevelOf, qualityOf } from '../engine/uncertainty/data-quality.ts'
import { compare, toDecimal } from '../engine/numbers/rational.ts'
import { ERROR_MESSAGES } from '../engine/uncertainty/messages.ts'
import { errorSources } from '../engine/uncertainty/uncertainty.ts'
import type { CalculationBasisData, Statement, StatementFactor, StatementSource } from './statement.ts'

export interface CalculationBases {
  /** The number of a line's calculation basis. */
  readonly noOf: (line: EmissionLine, referenceData: ReferenceData) => number
  readonly list: () => readonly CalculationBasisData[]
  readonly figures: () => Pick<Statement, 'factors' | 'sources' | 'releases'>
}

/** Numbers things that are distinguished by a text key. */
function numbered<Thing>() {
  const things = new Map<string, Thing & { readonly no: number }>()
  return {
    noOf: (key: string, make: () => Thing): number => {
      const known = things.get(key)
      if (known) return known.no
      const thing = { no: things.size + 1, ...make() }
      things.set(key, thing)
      return thing.no
    },
    list: () => [...things.values()],
  }
}

/** @param year of the statement; the age of figures is scored relative to it */
export function createCalculationBases(year: number): CalculationBases {
  const bases = numbered<Omit<CalculationBasisData, 'no'>>()
  const factors = numbered<Omit<StatementFactor, 'no'>>()
  const sources = numbered<Omit<StatementSource, 'no'>>()
  const releases = new Map<string, string>()

  function sourceNo({ title, publisher, year: published, url, licence, ...own }: Source): number {
    const source = { title, publisher, year: published, url, licence, ...own }
    return sources.noOf(JSON.stringify(Object.entries(source)), () => source)
  }

  function factorsOf(line: EmissionLine, referenceData: ReferenceData): readonly number[] {
    return explainLine(line, referenceData).factors.map(
      ({ symbol, id, value, unit, source, dataset_release: release }) =>
        factors.noOf([symbol, id, unit, release].join('\0'), () => ({
          symbol,
          id,
          value: toDecimal(value),
          unit,
          dataset_release: release,
          source: sourceNo(source),
        })),
    )
  }

  function make(line: EmissionLine, referenceData: ReferenceData): Omit<CalculationBasisData, 'no'> {
    for (const one of releasesUsedBy(line.working, referenceData)) releases.set(one.release, one.hash)
    return {
      part: line.part,
      method: line.working.method,
      type: line.type,
      match_level: matchLevelOf(line.working),
      // Cradle takes no measurements: all figures are published.
      is_primary: false,
      data_quality: qualityOf(line.working, year),
      errors: errorSources(line.working).map(({ factor, kind, logSd }) => ({
        factor,
        name: ERROR_MESSAGES[kind]().message,
        log_sd: rounded(logSd),
      })),
      factors: factorsOf(line, referenceData),
    }
  }

  return {
    noOf: (line, referenceData) => bases.noOf(keyOf(line, referenceData), () => make(line, referenceData)),
    list: bases.list,
    figures: () => ({
      factors: factors.list(),
      sources: sources.list(),
      releases: [...releases].map(([name, content_hash]) => ({ name, content_hash })),
    }),
  }
}

/**
 * A key with everything that determines a line's calculation basis. It is computed without building the basis, because
 * the basis of nearly every line is already known.
 */
function keyOf({ type, working }: EmissionLine, referenceData: ReferenceData): string {
  const { method } = working
  switch (working.method) {
    case 'embodied-linear':
    case 'use-by-share':
      return [method, type, ...productKey(working.item)].join('\0')
    case 'use-by-grid': {
      const years = working.use.years.map(({ year, lastYear, factor }) => `${year}-${lastYear}:${factor.year}`)
      return [method, type, ...productKey(working.item), referenceData.release, working.item.country, ...years].join(
        '\0',
      )
    }
    case 'tonne-kilometres': {
      const isAdjusted = compare(working.item.transportation.distanceKm, working.item.distanceKm) !== 0
      return [method, referenceData.release, working.item.factor.id, isAdjusted].join('\0')
    }
    case 'mass':
      return [method, referenceData.release, working.item.factor.id].join('\0')
  }
}

type ProductWorking = Extract<CalculationInputs, { method: 'embodied-linear' }>

const productKey = ({ footprintId, footprintData }: ProductWorking['item']): readonly string[] => [
  footprintData.release,
  footprintId,
]

/** The releases a line uses: the device's release, and the release of its grid factors or of the order. */
function releasesUsedBy(working: CalculationInputs, referenceData: ReferenceData): readonly ReferenceData[] {
  if (!('run' in working)) return [referenceData]
  return working.method === 'use-by-grid' ? [working.item.footprintData, referenceData] : [working.item.footprintData]
}

const LOG_SD_PLACES = 6
const rounded = (logSd: number): number => Number(logSd.toFixed(LOG_SD_PLACES))
