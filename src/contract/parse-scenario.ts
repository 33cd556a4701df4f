// Parses the changes of a scenario: every fault at once, each with its path and what would be right.
import { rationalOfNumber } from '../engine/numbers/rational.ts'
import { escapePointer, type Problem } from '../engine/order.ts'
import { modelIdByAlias } from '../engine/reference/product-match.ts'
import { TRANSPORT_MODES, type ReferenceData } from '../engine/reference/reference-data.ts'
import type { ScenarioChange } from '../engine/scenario/changes.ts'
import {
  PROBLEMS_MAX,
  unknownModel,
  unknownPackaging,
  unknownTransport,
  validateCountry,
} from '../engine/validate-order.ts'
import { REQUEST_MESSAGES } from './messages.ts'
import type { WireScenario, WireScenarioChange } from './scenario-schema.ts'
import type { ValidationResult } from './validation.ts'

type Member = keyof WireScenarioChange
type Type = WireScenarioChange['type']

/** The members of each type, beside `type` and `device_type`. */
const MEMBERS: Readonly<Record<Type, { readonly required: readonly Member[]; readonly optional: readonly Member[] }>> =
  {
    tenure: { required: ['months'], optional: [] },
    transportation: { required: ['from', 'to'], optional: [] },
    packaging: { required: ['to'], optional: ['from'] },
    model: { required: ['from', 'to'], optional: [] },
    electricity: { required: ['factor_kg_co2e_per_kwh'], optional: ['country'] },
  }

/** The problems of the changes whose shape is valid, and of the scope. @param body as it was sent */
export function scenarioProblems(
  body: unknown,
  { problems, faulty }: ValidationResult,
  referenceData: ReferenceData,
): readonly Problem[] {
  const sent = (body ?? {}) as Partial<WireScenario>
  const changes: readonly WireScenarioChange[] =
    Array.isArray(sent.changes) && !faulty.has('/changes') ? sent.changes : []
  const isSound = (path: string) => ![...faulty].some((one) => one === path || one.startsWith(`${path}/`))
  const ofChanges = [...changes.entries()].flatMap(([at, change]) => {
    const path = `/changes/${at}`
    return isSound(path) ? changeProblems(change, path, referenceData) : []
  })
  const { from, to } = isSound('/scope') && sent.scope ? sent.scope : {}
  const ofScope =
    from !== undefined && to !== undefined && to < from
      ? [{ path: '/scope/to', ...REQUEST_MESSAGES.scenario_ends_before({ from, to }) }]
      : []
  return [...problems, ...ofChanges, ...ofScope].slice(0, PROBLEMS_MAX)
}

function changeProblems(change: WireScenarioChange, path: string, referenceData: ReferenceData): readonly Problem[] {
  const { required, optional } = MEMBERS[change.type]
  const known: readonly string[] = ['type', 'device_type', ...required, ...optional]
  const missing = required.filter((name) => change[name] === undefined)
  const unexpected = Object.keys(change).filter((name) => !known.includes(name))
  return [
    ...missing.map((name) => ({
      path: `${path}/${name}`,
      ...REQUEST_MESSAGES.scenario_member_missing({ type: change.type }),
    })),
    ...unexpected.map((name) => ({
      path: `${path}/${escapePointer(name)}`,
      ...REQUEST_MESSAGES.scenario_member_unexpected({ type: change.type, names: known }),
    })),
    ...nameProblems(change, path, referenceData),
  ]
}

function nameProblems(
  { type, from, to, country }: WireScenarioChange,
  path: string,
  referenceData: ReferenceData,
): readonly Problem[] {
  if (type === 'electricity') return validateCountry(country ?? null, referenceData, `${path}/country`)
  if (type === 'tenure') return []
  const unknown = UNKNOWN[type]
  const named = [
    ...(from === undefined || (type === 'transportation' && isMode(from))
      ? []
      : unknown(from, `${path}/from`, referenceData)),
    ...(to === undefined ? [] : unknown(to, `${path}/to`, referenceData)),
  ]
  if (named.length > 0 || from === undefined || from !== to) return named
  return [{ path: `${path}/to`, ...REQUEST_MESSAGES.scenario_changes_nothing({ to }) }]
}

const isMode = (text: string): boolean => (TRANSPORT_MODES as readonly string[]).includes(text)

type Unknown = (id: string, path: string, referenceData: ReferenceData) => readonly Problem[]

const UNKNOWN: Readonly<Record<'transportation' | 'packaging' | 'model', Unknown>> = {
  transportation: (id, path, referenceData) =>
    referenceData.transports.has(id) ? [] : [unknownTransport(id, path, referenceData)],
  packaging: (id, path, referenceData) =>
    referenceData.packagings.has(id) ? [] : [unknownPackaging(id, path, referenceData)],
  model: (id, path, referenceData) =>
    modelIdByAlias(id, referenceData) === null ? [unknownModel(id, path, referenceData)] : [],
}

/** @param wire without problems */
export function toScenarioChange(wire: WireScenarioChange): ScenarioChange {
  const { type, from = null, country = null, months, factor_kg_co2e_per_kwh: factor } = wire
  const deviceType = wire.device_type ?? null
  const to = wire.to ?? ''
  switch (type) {
    case 'tenure':
      return { type, deviceType, months: months! }
    case 'transportation': {
      const mode = TRANSPORT_MODES.find((one) => one === from) ?? null
      return { type, deviceType, mode, from: mode === null ? from : null, to }
    }
    case 'packaging':
      return { type, deviceType, from, to }
    case 'model':
      return { type, deviceType, from: from!, to }
    case 'electricity':
      return { type, deviceType, country, factor: rationalOfNumber(factor!) }
  }
}
