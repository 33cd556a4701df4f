// A scenario as JSON: the years before and after, and why orders stay as they are.
import { EMISSION_UNIT } from '../../engine/numbers/emission.ts'
import { TENURE_MONTHS_MAX, type ScenarioChange, type UnchangedReason } from '../../engine/scenario/changes.ts'
import type { ScenarioYear } from '../../engine/scenario/years.ts'
import type { Message } from '../../engine/message.ts'
import { UNCERTAINTY_LEVEL } from '../../engine/uncertainty/uncertainty.ts'
import type { WireScenario } from '../../contract/scenario-schema.ts'
import type { ScenarioResult } from '../../ledger/scenario/run-scenario.ts'
import { SCENARIO_MESSAGES, SCENARIO_NOTES } from '../messages.ts'
import { kilogramsView } from './emission.ts'
import { referenceView } from './message.ts'

export function scenarioView({ changes, scope = {} }: WireScenario, result: ScenarioResult) {
  const notes = [...new Set(changes.map(({ type }) => type))].flatMap((type) => NOTES[type])
  return {
    emission_unit: EMISSION_UNIT,
    scope,
    changes,
    number_of_orders: result.orders,
    number_of_orders_changed: result.changed,
    number_of_orders_with_difference: result.moved,
    by_year: result.years.map(({ year, ...one }) => ({ year, ...comparisonView(one) })),
    total: comparisonView(result.total),
    outside_scope: {
      number_of_orders: result.outside.orders,
      difference: kilogramsView(result.outside.difference),
    },
    not_changed: result.unchanged.map(({ change, reason, orders }) => {
      const why = messageOfReason(reason)
      return { change, reason, why: why.message, why_message: referenceView(why), number_of_orders: orders }
    }),
    notes: notes.map(({ message }) => message),
    note_messages: notes.map(referenceView),
  }
}

const comparisonView = ({ before, after, difference, low, high }: Omit<ScenarioYear, 'year'>) => ({
  before: kilogramsView(before),
  after: kilogramsView(after),
  difference: kilogramsView(difference),
  interval: { low: kilogramsView(low), high: kilogramsView(high), level: UNCERTAINTY_LEVEL },
})

const messageOfReason = (reason: UnchangedReason): Message =>
  reason === 'tenure_too_long'
    ? SCENARIO_MESSAGES.scenario_tenure_too_long({ max: TENURE_MONTHS_MAX })
    : SCENARIO_MESSAGES[`scenario_${reason}`]()

const NOTES: Readonly<Record<ScenarioChange['type'], readonly Message[]>> = {
  tenure: [SCENARIO_NOTES.scenario_later_rentals_stay(), SCENARIO_NOTES.scenario_returns_stay()],
  transportation: [SCENARIO_NOTES.scenario_distances_stay()],
  packaging: [],
  model: [],
  electricity: [SCENARIO_NOTES.scenario_factor_is_certain()],
}
