// The inventory of electricity as the API answers it, and why each of its figures is what it is.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { api, read, type Schemas } from '../api/client.ts'
import type { Why } from '../components/explanation.ts'
import { KG } from '../emissions/kilograms.ts'
import type { MessageFormatter } from '../i18n/language.tsx'
import type en from './messages.en.json'

const PATH = '/api/reports/electricity'
const METHODOLOGY = 'METHODOLOGY.md#electricity-by-month'

/** @property call by which it can be asked for again */
export type ElectricityData = Schemas['ElectricityReport'] & { readonly call: string }
export type ElectricityLine = ElectricityData['months'][number]
type MarketPart = ElectricityLine['market_based']['parts'][number]
type ReportMessages = MessageFormatter<keyof typeof en>

/** @param year '' for the current one */
export function useElectricity(customer: string, year: string) {
  const query = { ...(customer !== '' && { customer_id: customer }), ...(year !== '' && { year: Number(year) }) }
  const search = new URLSearchParams({
    ...(customer !== '' && { customer_id: customer }),
    ...(year !== '' && { year }),
  })
  return useQuery({
    queryKey: ['electricity', query],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<ElectricityData> => ({
      ...(await read(api.GET(PATH, { params: { query }, signal }))),
      call: search.size === 0 ? PATH : `${PATH}?${search.toString()}`,
    }),
  })
}

/** What every explanation of the inventory has. */
const common = ({ dataset_release: release, call }: ElectricityData) => ({ methodology: METHODOLOGY, release, call })

export const explainEnergy =
  (data: ElectricityData, title: string, { kwh }: Pick<ElectricityLine, 'kwh'>, t: ReportMessages): Why =>
  () => ({ title, value: kwh, unit: data.energy_unit, formula: t('energyFormula'), ...common(data) })

export function explainLocation(
  data: ElectricityData,
  title: string,
  { kwh, location_based: location }: ElectricityLine,
  t: ReportMessages,
): Why | undefined {
  if (location === null) return undefined
  const { emission: value, factor_kg_co2e_per_kwh: factor, quality, source } = location
  const formula = `${kwh} × ${factor} = ${value}`
  return () => ({ title, value, unit: KG, formula, source, notes: [t(`factor_${quality}`)], ...common(data) })
}

export function explainMarket(
  data: ElectricityData,
  title: string,
  { market_based: { emission: value, parts } }: ElectricityLine,
  t: ReportMessages,
): Why {
  const products = parts.map(({ kwh, factor_kg_co2e_per_kwh: factor }) => `${kwh} × ${factor ?? '?'}`)
  const formula = `${products.join(' + ')} = ${value}`
  const notes = parts.map((part) => t('marketPart', { name: nameOf(part, t), kwh: String(part.kwh) }))
  return () => ({ title, value, unit: KG, formula, notes, ...common(data) })
}

const nameOf = ({ by, instrument_id: id }: MarketPart, t: ReportMessages): string =>
  id === undefined ? t(`market_${by}`) : `${t(`market_${by}`)} ${id}`

export function explainLosses(
  data: ElectricityData,
  title: string,
  { kwh, location_based: location, losses }: ElectricityLine,
): Why | undefined {
  if (losses === null || location === null) return undefined
  const { emission: value, share, source } = losses
  const formula = `${kwh} × ${location.factor_kg_co2e_per_kwh} × ${share} ÷ (1 − ${share}) = ${value}`
  return () => ({ title, value, unit: KG, formula, source, ...common(data) })
}
