// GET /api/periods/corrections: years that were corrected after closing, and those for which a restatement is proposed.
import { EMISSION_UNIT } from '../../engine/numbers/emission.ts'
import { schemaRef } from '../../contract/named-schema.ts'
import { filteredIds, type StoredIds } from '../../ledger/stored-ids.ts'
import type { AccountsSettings } from '../../postgres/accounts.ts'
import { calendarYear, identifier, pageLimit, parseQuery } from '../parameters.ts'
import { abortOnDisconnect } from '../plugins/client-abort.ts'
import { callerOf } from '../plugins/authentication.ts'
import type { RouteDefinition } from '../route-definition.ts'
import { CorrectedYears } from '../schemas/periods.ts'
import { sendStreamedResponse } from '../streamed-response.ts'
import type { ReportsContext } from './reports.ts'

export interface CorrectedYearsContext extends Pick<ReportsContext, 'askReport'> {
  readonly storedIds: StoredIds
  readonly accountsSettings: AccountsSettings
}

const LIMIT_MAX = 1000
const LIMIT_DEFAULT = 100
const PARAMETERS = {
  year: calendarYear('Only corrections of this year.'),
  customer_id: identifier('Only years of this customer.'),
  limit: pageLimit('years of customers', LIMIT_MAX, LIMIT_DEFAULT),
}

const EXAMPLE = {
  emission_unit: EMISSION_UNIT,
  restatement_threshold_percent: 5,
  number_of_corrected_years: 1,
  number_of_proposed_restatements: 1,
  corrected_years: [
    {
      customer_id: 'customer-17',
      year: 2025,
      statement_emission: 33.75,
      corrections_emission: -8.4375,
      corrected_emission: 25.3125,
      corrections_percent: -25,
      proposes_restatement: true,
    },
  ],
}

export const correctedYearsOperation = (context: CorrectedYearsContext): RouteDefinition => ({
  id: 'listCorrectedYears',
  method: 'GET',
  path: '/api/periods/corrections',
  summary: 'List closed years that were corrected',
  description:
    'Returns the years of customers that are concerned by something recorded after their books had been closed: what ' +
    'the statement of the year says, and what has been added or taken away since, which counts in later years. A ' +
    'restatement is proposed where that is more than the account’s restatement_threshold_percent of the total. ' +
    'Nothing is restated by itself.',
  tag: 'Account',
  scope: 'orders:read',
  query: PARAMETERS,
  answer: { description: 'The corrected years.', schema: schemaRef(CorrectedYears), example: EXAMPLE },
  failures: ['invalid_request', 'too_large'],
  handle: async (request, reply) => {
    const { accountId } = callerOf(request)
    const sent = parseQuery(request.query, PARAMETERS)
    const { customerId } = await filteredIds(context.storedIds, accountId, sent)
    const { restatementThresholdPercent: thresholdPercent } = await context.accountsSettings.find(accountId)
    const query = { accountId, year: sent['year'] ? Number(sent['year'][0]) : null, customerId, thresholdPercent }
    const limit = Number(sent['limit']?.[0] ?? LIMIT_DEFAULT)
    const asked = await context.askReport({ of: 'corrections', query, limit }, abortOnDisconnect(reply.raw))
    return sendStreamedResponse(asked, reply)
  },
})
