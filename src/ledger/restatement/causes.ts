// Why a restatement moves an emission: releases that are mixed from two, so that one cause at a time is exchanged.
// METHODOLOGY.md#restatements
import type { ReferenceData } from '../../engine/reference/reference-data.ts'

/**
 * In the order in which they are exchanged. The order is part of the method: what two causes change together counts
 * with the later one.
 */
export const CAUSES = ['identification', 'device_figures', 'electricity', 'transport_and_packaging'] as const
export type Cause = (typeof CAUSES)[number]

/** The parts of a release that each cause but the first exchanges; the matches say before what the products are. */
const SECTIONS = {
  device_figures: ['models', 'knownDevices', 'typeDefaults', 'fallbacks', 'itEquipment'],
  electricity: ['grid'],
  transport_and_packaging: ['transports', 'distanceAdjustments', 'packagings'],
} as const satisfies Readonly<Record<Exclude<Cause, 'identification'>, readonly (keyof ReferenceData)[]>>

type FigureCause = keyof typeof SECTIONS
export const FIGURE_CAUSES = Object.keys(SECTIONS) as readonly FigureCause[]

/**
 * The figures of an earlier release with those of a later one for some causes. Models and fallbacks that only the later
 * release has are added, because a product may be identified as one of them.
 */
export function mixReleases(
  earlier: ReferenceData,
  later: ReferenceData,
  exchanged: ReadonlySet<Cause>,
): ReferenceData {
  const added = {
    models: new Map([...later.models, ...earlier.models]),
    knownDevices: new Map([...later.knownDevices, ...earlier.knownDevices]),
    typeDefaults: new Map([...later.typeDefaults, ...earlier.typeDefaults]),
    fallbacks: new Map([...later.fallbacks, ...earlier.fallbacks]),
  }
  const names = FIGURE_CAUSES.filter((cause) => exchanged.has(cause)).flatMap((cause) => [...SECTIONS[cause]])
  const taken = Object.fromEntries(names.map((name) => [name, later[name]]))
  return { ...earlier, ...added, ...taken }
}

/** The causes for which two releases have different figures. */
export const differingCauses = (earlier: ReferenceData, later: ReferenceData): readonly FigureCause[] =>
  FIGURE_CAUSES.filter((cause) => SECTIONS[cause].some((name) => !isSameValue(earlier[name], later[name])))

/** Own figures are in a map that is laid over another one, and is no `Map`. */
const isMap = (value: object): value is ReadonlyMap<unknown, unknown> => Symbol.iterator in value && 'get' in value

/** Sources are left out of the comparison: they move no figure. */
function isSameValue(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false
  if (isMap(one) && isMap(other))
    return one.size === other.size && [...one].every(([key, value]) => isSameValue(value, other.get(key)))
  const names = new Set([...Object.keys(one), ...Object.keys(other)])
  names.delete('source')
  return [...names].every((name) => isSameValue(one[name as never], other[name as never]))
}
