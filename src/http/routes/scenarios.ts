// POST /api/scenarios: stored orders computed again under changes, in the worker; nothing is stored.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { NamedSchema } from '../../contract/named-schema.ts'
import { schemaRef } from '../../contract/named-schema.ts'
import { invalidRequest } from '../../contract/errors.ts'
import { scenarioProblems } from '../../contract/parse-scenario.ts'
import { ScenarioParams, type WireScenario } from '../../contract/scenario-schema.ts'
import type { Validate } from '../../contract/validation.ts'
import type { ReleaseFor } from '../../ledger/account-release.ts'
import { customerIdInUse, type StoredIds } from '../../ledger/stored-ids.ts'
import { parseQuery } from '../parameters.ts'
import { callerOf } from '../plugins/authentication.ts'
import { abortOnDisconnect } from '../plugins/client-abort.ts'
import type { RouteDefinition } from '../route-definition.ts'
import { EXAMPLE_SCENARIO, Scenario } from '../schemas/scenario.ts'
import { sendStreamedResponse, type StreamedResponse } from '../streamed-response.ts'
import { SCENARIO_LIMITS, type ScenarioRequest } from '../views/scenario-response.ts'

export interface ScenariosContext {
  readonly storedIds: StoredIds
  readonly releaseFor: ReleaseFor
  /** @throws ApiError */
  readonly askScenario: (ask: ScenarioRequest, signal: AbortSignal) => Promise<StreamedResponse>
  readonly validatorOf: (schema: NamedSchema) => Validate
}

export function scenarioOperation(context: ScenariosContext): RouteDefinition {
  const validate = context.validatorOf(ScenarioParams)
  return {
    id: 'computeScenario',
    method: 'POST',
    path: '/api/scenarios',
    summary: 'Compute a scenario',
    description:
      'Computes stored orders again under changes, and returns what counts in each year before and after, with the ' +
      '95 % interval of the difference. `before` is what reports and statements say by tenure; `after` is what they ' +
      'would say if the orders had been sent that way, to the milligram. Nothing is stored, and no other answer ' +
      `changes. At most ${SCENARIO_LIMITS.ordersMax.toLocaleString('en')} orders.`,
    tag: 'Reports',
    scope: 'orders:read',
    query: {},
    body: {
      schema: ScenarioParams,
      example: { changes: EXAMPLE_SCENARIO.changes, scope: EXAMPLE_SCENARIO.scope },
    },
    answer: { description: 'Both sides and their difference.', schema: schemaRef(Scenario), example: EXAMPLE_SCENARIO },
    failures: ['invalid_request', 'too_large', 'unsupported_media_type'],
    handle: (request, reply) => computeScenario(context, validate, request, reply),
  }
}

async function computeScenario(
  { storedIds, releaseFor, askScenario }: ScenariosContext,
  validate: Validate,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  parseQuery(request.query, {})
  const caller = callerOf(request)
  const { accountId } = caller
  const { referenceData } = await releaseFor(caller)
  const problems = scenarioProblems(request.body, validate(request.body), referenceData)
  if (problems.length > 0) throw invalidRequest(problems)
  const wire = request.body as WireScenario
  const sent = wire.scope?.customer_id
  const customerId = sent === undefined ? null : await customerIdInUse(storedIds, accountId, sent)
  return sendStreamedResponse(await askScenario({ accountId, customerId, wire }, abortOnDisconnect(reply.raw)), reply)
}
