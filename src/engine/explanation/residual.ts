// Explains the two pools of a product: E, its embodied emission, and P × u, its use emission over the lifetime.
import { toFactor, formatRational, type Explanation, type Input } from './explanation.ts'
import type { Message } from '../message.ts'
import { FIGURE_NOTE_MESSAGES as NOTES } from './messages.ts'
import type { KnownDevice, ReferenceData } from '../reference/reference-data.ts'
import type { Footprint } from '../reference/footprint.ts'
import type { EvaluatedFallback } from '../reference/fallback.ts'
import type { Rational } from '../numbers/rational.ts'
import type { ResolvedProduct } from '../resolve-order.ts'

/** The part of an explanation that describes a pool. */
type Pool = Pick<Explanation, 'inputs' | 'factors' | 'notes'>

const PER_DEVICE = 'kgCO2e/device'

/** The name of a type default: "type:laptop", or "type:any" for the default of all sheets together. */
export const deviceTypeLabel = ({ typeDefault }: Footprint): string => `type:${typeDefault.type}`

/** E: published total less use, production alone, a type's mean, another fallback, or weight times the IT factor. */
export function explainEmbodiedResidual(item: ResolvedProduct, referenceData: ReferenceData): Pool {
  const { footprint, footprintId } = item
  const { model, embodied, useOverLifetime, source } = footprint
  if (footprint.level === 'weight') return weightPool(item, referenceData)
  if (footprint.level === 'type') return direct('E', deviceTypeLabel(footprint), embodied, footprint, referenceData)
  if (footprint.fallback) return fallbackPool(footprint.fallback, footprint, referenceData)
  if (!model) throw new RangeError(`Nothing tells what "${footprintId}" comes from`)
  const quoted = quoteNotes(footprint)
  if (!model.total) {
    const { factors } = direct('E', footprintId, embodied, footprint, referenceData)
    return { inputs: [], factors, notes: [...quoted, NOTES.note_production_only()] }
  }
  const published = toFactor('P', footprintId, model.total, PER_DEVICE, source, referenceData)
  if (model.productUse) {
    return {
      inputs: [computed('E', 'embodied', embodied)],
      factors: [published, toFactor('P × u', footprintId, model.productUse, PER_DEVICE, source, referenceData)],
      notes: [
        ...quoted,
        NOTES.note_embodied_by_use({
          total: formatRational(model.total),
          use: formatRational(useOverLifetime!),
          embodied: formatRational(embodied),
        }),
      ],
    }
  }
  const share = formatRational(footprint.typeDefault.useShare)
  return {
    inputs: [computed('E', 'embodied', embodied)],
    factors: [published, useShareFactor(footprint, referenceData)],
    notes: [
      ...quoted,
      NOTES.note_embodied_by_share({ total: formatRational(model.total), share, embodied: formatRational(embodied) }),
    ],
  }
}

/** P × u: the published use stage, the published total times the type's use share, or a value derived from E. */
export function explainUseResidual(item: ResolvedProduct, referenceData: ReferenceData): Pool {
  const { footprint, footprintId } = item
  const { model, useOverLifetime, typeDefault, embodied, source } = footprint
  const pool = useOverLifetime!
  if (model?.productUse) {
    return {
      ...direct('P × u', footprintId, pool, footprint, referenceData),
      notes: [...quoteNotes(footprint), NOTES.note_use_of_sheet()],
    }
  }
  const share = formatRational(typeDefault.useShare)
  const inputs = [computed('P × u', 'use_over_lifetime', pool)]
  if (model?.total) {
    return {
      inputs,
      factors: [
        toFactor('P', footprintId, model.total, PER_DEVICE, source, referenceData),
        useShareFactor(footprint, referenceData),
      ],
      notes: [
        ...quoteNotes(footprint),
        NOTES.note_use_by_share({ total: formatRational(model.total), share, use: formatRational(pool) }),
        NOTES.note_use_of_type(),
      ],
    }
  }
  if (footprint.known?.yearlyEnergyKwh && typeDefault.embodied && typeDefault.yearlyEnergyKwh)
    return knownUsePool(footprint, typeDefault.embodied, footprint.known, referenceData)
  const embodiedPool = explainEmbodiedResidual(item, referenceData)
  return {
    inputs: [...embodiedPool.inputs, ...inputs],
    factors: [...embodiedPool.factors, useShareFactor(footprint, referenceData)],
    notes: [
      ...embodiedPool.notes,
      NOTES.note_use_by_embodied({ embodied: formatRational(embodied), share, use: formatRational(pool) }),
      NOTES.note_use_of_type(),
    ],
  }
}

/** P × u of a known device: the use of its type, in proportion to the electricity. */
function knownUsePool(
  footprint: Footprint,
  embodied: Rational,
  { id, yearlyEnergyKwh, source }: KnownDevice,
  referenceData: ReferenceData,
): Pool {
  const { typeDefault, useOverLifetime } = footprint
  const [type, energy] = [deviceTypeLabel(footprint), typeDefault.yearlyEnergyKwh!]
  return {
    inputs: [computed('P × u', 'use_over_lifetime', useOverLifetime!)],
    factors: [
      toFactor('E_type', type, embodied, PER_DEVICE, typeDefault.source, referenceData),
      useShareFactor(footprint, referenceData),
      toFactor('W', id, yearlyEnergyKwh!, 'kWh/year', source, referenceData),
      toFactor('W_type', type, energy, 'kWh/year', typeDefault.source, referenceData),
    ],
    notes: [
      NOTES.note_use_by_electricity({
        embodied: formatRational(embodied),
        share: formatRational(typeDefault.useShare),
        own: formatRational(yearlyEnergyKwh!),
        energy: formatRational(energy),
        use: formatRational(useOverLifetime!),
      }),
      NOTES.note_use_of_type(),
    ],
  }
}

function weightPool({ product, footprint }: ResolvedProduct, referenceData: ReferenceData): Pool {
  const { factor, source } = referenceData.itEquipment
  return {
    inputs: [
      { symbol: 'w', name: 'weight_kg', value: product.weightKg, unit: 'kg', from: 'order' },
      computed('E', 'embodied', footprint.embodied),
    ],
    factors: [toFactor('f', 'it-equipment', factor, 'kgCO2e/kg', source, referenceData)],
    notes: [
      NOTES.note_embodied_by_weight({
        weight: formatRational(product.weightKg),
        factor: formatRational(factor),
        embodied: formatRational(footprint.embodied),
      }),
    ],
  }
}

/** A mean is given directly; a regression is written out with the weight and screen at which it is evaluated. */
function fallbackPool(found: EvaluatedFallback, footprint: Footprint, referenceData: ReferenceData): Pool {
  const { key, fallback, weightKg, screenInches } = found
  const { regression, source } = fallback
  if (!regression) return direct('E', key, footprint.embodied, footprint, referenceData)
  const { intercept, perLnWeight, perLnScreen, logSd } = regression
  const factor = (symbol: string, value: Rational) => toFactor(symbol, key, value, '1', source, referenceData)
  const screen = perLnScreen && screenInches ? { slope: perLnScreen, inches: screenInches } : null
  const figures = {
    a: formatRational(intercept),
    b: formatRational(perLnWeight),
    weight: formatRational(weightKg!),
    sd: formatRational(logSd),
    embodied: formatRational(footprint.embodied),
  }
  return {
    inputs: [
      { symbol: 'w', name: 'weight_kg', value: weightKg!, unit: 'kg', from: 'order' },
      ...(screen
        ? [{ symbol: 's', name: 'screen_inches', value: screen.inches, unit: 'inches', from: 'order' as const }]
        : []),
      computed('E', 'embodied', footprint.embodied),
    ],
    factors: [
      factor('a', intercept),
      factor('b', perLnWeight),
      ...(screen ? [factor('c', screen.slope)] : []),
      factor('σ', logSd),
    ],
    notes: [
      screen
        ? NOTES.note_embodied_by_fit_of_screen({
            ...figures,
            c: formatRational(screen.slope),
            screen: formatRational(screen.inches),
          })
        : NOTES.note_embodied_by_fit(figures),
    ],
  }
}

const direct = (
  symbol: string,
  id: string,
  value: Rational,
  { source }: Footprint,
  referenceData: ReferenceData,
): Pool => ({
  inputs: [],
  factors: [toFactor(symbol, id, value, PER_DEVICE, source, referenceData)],
  notes: [],
})

const computed = (symbol: string, name: string, value: Rational): Input => ({
  symbol,
  name: `${name}_kg`,
  value,
  unit: PER_DEVICE,
  from: 'computed',
})

const useShareFactor = (footprint: Footprint, referenceData: ReferenceData) =>
  toFactor(
    'u',
    deviceTypeLabel(footprint),
    footprint.typeDefault.useShare,
    '1',
    footprint.typeDefault.source,
    referenceData,
  )

/** Marks figures that are quoted by a third party and were not read from the manufacturer's own sheet. */
const quoteNotes = ({ model }: Footprint): readonly Message[] =>
  model?.quotedVia ? [NOTES.note_quoted({ source: sourceOf(model.quotedVia) })] : []

/** Kinds of source have messages; the name of a source is the same in every language. */
const sourceOf = (via: string): Message | string => SOURCES.find(({ message }) => message === via) ?? via

const SOURCES = [NOTES.source_secondary, NOTES.source_news, NOTES.source_journal, NOTES.source_web_page].map((make) =>
  make(),
)
