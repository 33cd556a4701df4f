// A quality board as JSON, and as a table of its sections, one below another.
import { kilograms, number, text, type ExportMetadata, type ExportTable } from '../../exports/export-table.ts'
import { EMISSION_UNIT, sumMilligrams, toKilograms, type Milligrams } from '../../engine/numbers/emission.ts'
import type { QualityReport } from '../../reports/report-quality.ts'
import { rawNumber } from '../requests/exact-json.ts'

/** Percent, to a ten-thousandth of one. */
const shareOf = (part: Milligrams, whole: Milligrams): number =>
  whole === 0n ? 0 : Number(((100 * Number(part)) / Number(whole)).toFixed(4))

export function renderQuality(board: QualityReport, { filters, methodVersion, exportedAt }: ExportMetadata): string {
  const { total, levels, ages, countries, toMend } = board
  const exact = (emission: Milligrams) => rawNumber(toKilograms(emission))
  const shared = (emission: Milligrams) => ({
    total_emission: exact(emission),
    share_percent: shareOf(emission, total),
  })
  const use = sumMilligrams(countries.map(({ emission }) => emission))
  return JSON.stringify({
    emission_unit: EMISSION_UNIT,
    total_emission: exact(total),
    by_level: levels.map(({ level, type, emission }) => ({ level, type, ...shared(emission) })),
    by_source_age: ages.map(({ age, emission }) => ({ age_years: age, ...shared(emission) })),
    by_country: countries.map(({ isTold, emission }) => ({
      country: isTold ? 'told' : 'missing',
      use_emission: exact(emission),
      share_percent: shareOf(emission, use),
    })),
    to_mend: toMend.map((one) => ({
      product_id: one.productId,
      found_by: one.found,
      charged_by: one.chargedBy,
      total_emission: exact(one.emission),
      low: exact(one.low),
      high: exact(one.high),
      width: exact(one.high - one.low),
      use_without_country: exact(one.withoutCountry),
      to_do: one.advice,
    })),
    filters,
    dataset_releases: board.releases,
    method_version: methodVersion,
    generated_at: exportedAt.toISOString(),
  })
}

interface BoardRow {
  readonly section: string
  readonly label: string
  readonly type: string | null
  readonly emission: Milligrams
  readonly share: number | null
  readonly mend: QualityReport['toMend'][number] | null
}

export function qualityTable(board: QualityReport, about: ExportMetadata): ExportTable<BoardRow> {
  const { total, levels, ages, countries, toMend } = board
  const use = sumMilligrams(countries.map(({ emission }) => emission))
  const row = (section: string, label: string, emission: Milligrams, whole: Milligrams | null): BoardRow => ({
    section,
    label,
    type: null,
    emission,
    share: whole === null ? null : shareOf(emission, whole),
    mend: null,
  })
  const rows = [
    ...levels.map(({ level, type, emission }) => ({ ...row('level', level, emission, total), type })),
    ...ages.map(({ age, emission }) => row('source_age', age, emission, total)),
    ...countries.map(({ isTold, emission }) => row('country', isTold ? 'told' : 'missing', emission, use)),
    ...toMend.map((mend) => ({ ...row('to_mend', mend.productId, mend.emission, null), type: mend.found, mend })),
  ]
  return {
    about,
    columns: [
      text('section', ({ section }) => section),
      text('label', ({ label }) => label),
      text('type', ({ type }) => type),
      kilograms('total_emission_kg', ({ emission }) => emission),
      number('share_percent', ({ share }) => share),
      text('charged_by', ({ mend }) => mend && mend.chargedBy.join(' ')),
      kilograms('low_kg', ({ mend }) => mend && mend.low),
      kilograms('high_kg', ({ mend }) => mend && mend.high),
      kilograms('width_kg', ({ mend }) => mend && mend.high - mend.low),
      kilograms('use_without_country_kg', ({ mend }) => mend && mend.withoutCountry),
      text('to_do', ({ mend }) => mend && mend.advice.join(' ')),
    ],
    pages: [rows],
  }
}
