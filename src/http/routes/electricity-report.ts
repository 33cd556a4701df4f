// GET /api/reports/electricity: the electricity of rented devices by month and country, beside the ledger.
import { ApiError } from '../../contract/errors.ts'
import { schemaRef } from '../../contract/named-schema.ts'
import { makeInventory, type InventorySources, type NoInventory } from '../../electricity/make-inventory.ts'
import type { ReleaseFor } from '../../ledger/account-release.ts'
import { filteredIds, type StoredIds } from '../../ledger/stored-ids.ts'
import { ROUTE_MESSAGES } from '../messages.ts'
import { calendarYear, identifier, parseQuery } from '../parameters.ts'
import { callerOf } from '../plugins/authentication.ts'
import type { RouteDefinition } from '../route-definition.ts'
import { ElectricityReport, EXAMPLE_ELECTRICITY } from '../schemas/electricity.ts'
import { electricityView } from '../views/electricity.ts'

export interface ElectricityContext extends InventorySources {
  readonly storedIds: StoredIds
  readonly releaseFor: ReleaseFor
}

const PARAMETERS = {
  year: calendarYear('The calendar year. Default: the current one.'),
  customer_id: identifier('Only the rentals of this customer. Default: those of all customers.'),
}

export const electricityOperation = (context: ElectricityContext): RouteDefinition => ({
  id: 'reportElectricity',
  method: 'GET',
  path: '/api/reports/electricity',
  summary: 'Report the electricity of rented devices by month',
  description:
    'Returns the kilowatt-hours that rented devices use in each month and country of a year, by what is known of ' +
    'their rentals now, with the location-based and the market-based emission beside each other, and losses of the ' +
    'grid in category 3 where a share is known. Factors of months, residual mixes and instruments are the account’s ' +
    'own figures, and so are shares of losses, for which those of the release stand in (Great Britain). The total is ' +
    'the sum of the lines. Nothing is posted: lines of use in orders, reports and statements stay location-based, by ' +
    'factors of years.',
  tag: 'Reports',
  scope: 'orders:read',
  query: PARAMETERS,
  answer: { description: 'The inventory.', schema: schemaRef(ElectricityReport), example: EXAMPLE_ELECTRICITY },
  failures: ['invalid_request', 'not_found', 'too_large'],
  handle: async (request, reply) => {
    const caller = callerOf(request)
    const { accountId } = caller
    const sent = parseQuery(request.query, PARAMETERS)
    const { customerId } = await filteredIds(context.storedIds, accountId, sent)
    const { referenceData } = await context.releaseFor(caller)
    const query = { customerId, year: Number(sent['year']?.[0] ?? context.now().getUTCFullYear()), referenceData }
    const inventory = await makeInventory(context, { accountId, ...query })
    if ('why' in inventory) throw refusalOf(inventory, customerId ?? '')
    return reply.send(electricityView(inventory, query))
  },
})

const refusalOf = (refused: NoInventory, customerId: string): ApiError =>
  refused.why === 'unknown_customer'
    ? new ApiError('not_found', ROUTE_MESSAGES.customer_unknown({ customer_id: customerId.slice(0, 80) }))
    : new ApiError('too_large', ROUTE_MESSAGES.inventory_too_long({ max: refused.max }))
