// GET /api/impact/{customer_id}/{year}: the rented devices of a customer compared with new ones, apart from all totals.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { runCooperatively } from '../../concurrency/cooperative.ts'
import { invalidRequest } from '../../contract/errors.ts'
import { EXPECTED, wrongParameter } from '../../contract/messages.ts'
import { schemaRef } from '../../contract/named-schema.ts'
import { DEFAULT_BOUNDARY } from '../../engine/inventory-boundary.ts'
import type { Problem } from '../../engine/order.ts'
import { parseDecimal } from '../../engine/numbers/rational.ts'
import { impactOf } from '../../statements/impact.ts'
import { PARAMETER_MESSAGES } from '../messages.ts'
import {
  KNOWN_AT_PARAMETER,
  parseQuery,
  parseTime,
  repeatedText,
  type Parameter,
  type Parameters,
  type Query,
} from '../parameters.ts'
import type { RouteDefinition } from '../route-definition.ts'
import { Impact } from '../schemas/impact.ts'
import { impactView, type Adjustment } from '../views/impact.ts'
import { STATEMENT_PATH_PARAMETERS, statementOf, statementQueryOf, type StatementsContext } from './statements.ts'

export type ImpactContext = Omit<StatementsContext, 'drawPdf' | 'statementKeyOf' | 'examples'>

const share = (description: string, max: number): Parameter => ({
  description,
  schema: { type: 'number', minimum: 0, maximum: max },
  check: (value) =>
    /^\d{1,2}(\.\d{1,6})?$/.test(value) && Number(value) <= max
      ? null
      : wrongParameter(EXPECTED.expected_number({ min: 0, max }), value),
})

/** Studies found up to 1 and above for single models. */
const REBOUND_MAX = 10

const QUERY = {
  displacement: share(
    'Share of the rentals without which the customer would have bought a new device. There is no default, because no ' +
      'study of device rental states one.',
    1,
  ),
  displacement_source: repeatedText('Where the displacement is from: a study, or a survey of the customer.'),
  rebound: share(
    'Share of the difference that is emitted elsewhere because of it; only if a study states it that way, and never ' +
      'with displacement.',
    REBOUND_MAX,
  ),
  rebound_source: repeatedText('Where the rebound is from.'),
  known_at: KNOWN_AT_PARAMETER,
} satisfies Parameters

const EXAMPLE = {
  customer_id: 'customer-18',
  year: 2025,
  is_preliminary: false,
  impact: {
    emission_unit: 'kgCO2e',
    time_frame: { from: '2025-01-01', to: '2025-12-31' },
    allocation_methods: ['capped_linear'],
    specificity: 'solution_specific',
    reference: {
      ...{ product_embodied_emission: 27.3375, product_use: 6.4125, total_emission: 33.75 },
      devices: [
        {
          footprint_id: 'apple-macbook-air-13-m3-256gb',
          name: 'Apple MacBook Air 13 M3 256GB',
          dataset_release: '2026.12.9',
          why: 'The rented device as a new one: Apple MacBook Air 13 M3 256GB',
          why_message: { code: 'new_of_model', params: { name: 'Apple MacBook Air 13 M3 256GB' } },
          specificity: 'solution_specific',
          ...{ embodied_emission: 109.35, lifetime_months: 48, number_of_devices: 1 },
          reference: { product_embodied_emission: 27.3375, product_use: 6.4125, total_emission: 33.75 },
          solution: {
            ...{ product_embodied_emission: 10.1125, product_use: 6.4125, packaging: 0, transportation: 0 },
            total_emission: 16.525,
          },
        },
      ],
    },
    solution: {
      ...{ product_embodied_emission: 10.1125, product_use: 6.4125, packaging: 0, transportation: 0 },
      total_emission: 16.525,
    },
    potential: { emission: 17.225, interval: { low: 11.018231, high: 23.431769, level: 0.95 } },
    break_even: 0.48963,
  },
}

export const impactOperation = (context: ImpactContext): RouteDefinition => ({
  id: 'getImpact',
  method: 'GET',
  path: '/api/impact/{customer_id}/{year}',
  summary: 'Compare the devices of a customer with new ones',
  description:
    'Returns what the rented devices of a customer emit in a year and, beside it, what new devices of the same ' +
    'models would have emitted in the same months, with the difference. It is not known how many rentals replace a ' +
    'purchase: without `displacement`, the difference is called `potential`. It is no part of any other answer, and ' +
    'must not be subtracted from emissions, enter a total, a scope or a target, or be added up over accounts.',
  tag: 'Reports',
  scope: 'orders:read',
  pathParameters: STATEMENT_PATH_PARAMETERS,
  query: QUERY,
  answer: { description: 'The comparison.', schema: schemaRef(Impact), example: EXAMPLE },
  failures: ['invalid_request', 'not_found', 'conflict', 'too_large'],
  handle: (request, reply) => getImpact(context, request, reply),
})

async function getImpact(context: ImpactContext, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const query = parseQuery(request.query, QUERY)
  const adjustment = adjustmentOf(query)
  const wanted = await statementQueryOf(context, request, parseTime(query['known_at']))
  // Neither the name of the account nor the boundary is in the answer.
  const approach = DEFAULT_BOUNDARY.consolidationApproach
  const made = await statementOf(context, { ...wanted, account: '', approach })
  return reply.send(impactView(made.content, await runCooperatively(impactOf(made)), adjustment))
}

/** @throws ApiError for a share without a source, a source without a share, and two shares */
function adjustmentOf(query: Query): Adjustment | null {
  const problems = (['displacement', 'rebound'] as const).flatMap((by) => problemsOf(by, query))
  if (query['displacement'] && query['rebound'])
    problems.push({ path: '?rebound', ...PARAMETER_MESSAGES.rebound_of_displacement() })
  if (problems.length > 0) throw invalidRequest(problems)
  const by = query['rebound'] ? 'rebound' : 'displacement'
  const value = query[by]?.[0]
  return value === undefined ? null : { by, share: parseDecimal(value), source: query[`${by}_source`]![0]! }
}

function problemsOf(name: Adjustment['by'], query: Query): Problem[] {
  const path = `?${name}_source`
  if (query[name] && !query[`${name}_source`]) return [{ path, ...PARAMETER_MESSAGES.source_missing({ name }) }]
  if (!query[name] && query[`${name}_source`]) return [{ path, ...PARAMETER_MESSAGES.source_alone({ name }) }]
  return []
}
