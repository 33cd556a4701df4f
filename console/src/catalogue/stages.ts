// The stages of a device's life as its sheet tells them, and what the sheet does not split up.
import type { Schemas } from '../api/client.ts'
import type { Bar } from '../charts/bars.ts'
import type { Look } from '../charts/theme.ts'

export type Model = Schemas['DeviceModel']

export const STAGES = ['make', 'transport', 'use', 'end', 'rest'] as const
export type Stage = (typeof STAGES)[number]

export const LOOK_OF: Readonly<Record<Stage, Look>> = {
  make: 'make',
  transport: 'transport',
  use: 'use',
  end: 'end',
  rest: 'rest',
}

/** Smaller is rounding of the sheet's own: a stage of nothing must not show. */
const REST_MIN_KG = 0.05

/** Null for what the sheet does not tell, which is not 0. */
export function stagesOf({
  product_footprint: total,
  footprint_breakdown: parts,
}: Model): Record<Stage, number | null> {
  const stated = {
    make: parts.production ?? parts.cradle_to_gate ?? null,
    transport: parts.transportation ?? null,
    use: parts.product_use ?? null,
    end: parts.end_of_life_processing ?? null,
  }
  const rest = Object.values(stated).reduce<number>((left, value) => left - (value ?? 0), total)
  return { ...stated, rest: Math.abs(rest) < REST_MIN_KG ? null : rest }
}

export const barOf = (model: Model): Bar => ({
  key: model.id,
  label: `${model.brand} ${model.name}`,
  values: stagesOf(model),
  ...(model.uncertainty && { low: model.uncertainty.low, high: model.uncertainty.high }),
})

/** Pairs whose intervals overlap: which of the two emits more cannot be told. */
export function indistinguishable(models: readonly Model[]): readonly (readonly [Model, Model])[] {
  return models.flatMap((one, at) =>
    models.slice(at + 1).flatMap((other) => (overlap(one, other) ? [[one, other] as const] : [])),
  )
}

const overlap = ({ uncertainty: a }: Model, { uncertainty: b }: Model): boolean =>
  a !== undefined && b !== undefined && a.low <= b.high && b.low <= a.high
