// What closing or reopening the books would change, without doing it: totals by customer and year, and overdue rentals.
import type { FastifyReply } from 'fastify'
import { DEFAULT_BOUNDARY } from '../../engine/inventory-boundary.ts'
import type { FindOverdueRentals, OverdueRentals } from '../../postgres/overdue-rentals.ts'
import { dayNoOf } from '../../reporting/fact.ts'
import { FIRST_DAY, type EmissionsQuery } from '../../reporting/query.ts'
import { abortOnDisconnect } from '../plugins/client-abort.ts'
import { sendStreamedResponse } from '../streamed-response.ts'
import type { ClosingAhead } from '../views/periods.ts'
import type { ReportsContext } from './reports.ts'

export interface ClosingPreviewContext extends Pick<ReportsContext, 'askReport'> {
  readonly findOverdueRentals: FindOverdueRentals
}

const CUSTOMER_YEARS_MAX = 1000
const OVERDUE_MAX = 100
const NONE: OverdueRentals = { hasMore: false, first: [] }

/**
 * @param before the first open day, YYYY-MM-DD; null if the books are open for all days
 * @param after the same after the closing
 */
export async function sendClosingPreview(
  { askReport, findOverdueRentals }: ClosingPreviewContext,
  accountId: number,
  before: string | null,
  after: string | null,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const kind = kindOf(before, after)
  const overdue =
    kind === 'closed' ? await findOverdueRentals({ accountId, after: before, until: after!, limit: OVERDUE_MAX }) : NONE
  const closing = { kind, before, after, overdue }
  const query = emissionsQuery(accountId, kind === 'reopened' ? [after, before] : [before, after])
  const asked = await askReport({ of: 'closing', query, closing }, abortOnDisconnect(reply.raw))
  return sendStreamedResponse(asked, reply)
}

function kindOf(before: string | null, after: string | null): ClosingAhead['kind'] {
  if (before === after) return 'unchanged'
  return after !== null && after > (before ?? '') ? 'closed' : 'reopened'
}

/** The years with days between two first open days, from their beginning to the later one; none if both are equal. */
function emissionsQuery(accountId: number, [earlier, later]: readonly [string | null, string | null]): EmissionsQuery {
  const from = earlier === null ? FIRST_DAY : dayNoOf(`${earlier.slice(0, 4)}-01-01`)
  return {
    accountId,
    groupBy: ['customer', 'year'],
    sort: '-total_emission',
    limit: CUSTOMER_YEARS_MAX,
    filters: new Map(),
    basis: 'tenure',
    from,
    to: later === null || later === earlier ? from - 1 : dayNoOf(later) - 1,
    // All that was posted counts, as in statements.
    view: DEFAULT_BOUNDARY,
  }
}
