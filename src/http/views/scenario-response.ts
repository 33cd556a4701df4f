// The response to a scenario, computed in the worker from records of one snapshot.
import { ApiError } from '../../contract/errors.ts'
import { toScenarioChange } from '../../contract/parse-scenario.ts'
import type { WireScenario } from '../../contract/scenario-schema.ts'
import { runCooperatively } from '../../concurrency/cooperative.ts'
import type { ReferenceData } from '../../engine/reference/reference-data.ts'
import { loadReferenceDataOf } from '../../ledger/codec.ts'
import { runScenario, type ScenarioRecords } from '../../ledger/scenario/run-scenario.ts'
import { JSON_TYPE } from '../../strict-json/json-number.ts'
import { ROUTE_MESSAGES } from '../messages.ts'
import { scenarioView } from './scenario.ts'

/** `customerId`: as it is stored. */
export interface ScenarioRequest {
  readonly accountId: number
  readonly customerId: string | null
  readonly wire: WireScenario
}

/** An answer has to come within the time of a request. */
export const SCENARIO_LIMITS = { ordersMax: 5_000, entriesMax: 100_000 }

/** @param signal aborts the work */
export async function buildScenarioResponse(
  { wire }: ScenarioRequest,
  records: ScenarioRecords | keyof typeof SCENARIO_LIMITS,
  referenceDataOf: (releaseId: number) => Promise<ReferenceData>,
  signal: AbortSignal,
) {
  if (typeof records === 'string') {
    const exceeded =
      records === 'ordersMax' ? ROUTE_MESSAGES.scenario_orders_exceeded : ROUTE_MESSAGES.scenario_entries_exceeded
    throw new ApiError('too_large', exceeded({ max: SCENARIO_LIMITS[records] }))
  }
  const releases = records.revisions.map(({ releaseId }) => releaseId)
  const loaded = await loadReferenceDataOf(records.ledgers, releases, referenceDataOf)
  const result = await runCooperatively(runScenario(records, wire.changes.map(toScenarioChange), loaded), signal)
  return { headers: { 'content-type': JSON_TYPE }, text: JSON.stringify(scenarioView(wire, result)) }
}
