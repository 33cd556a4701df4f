// A report that another process makes, handed on to whoever asked for it, no faster than it is taken.
import type { FastifyReply } from 'fastify'
import { sendStreamedResponse, type StreamedResponse } from '../requests/asked-pieces.ts'
import type { ReportRequest } from './report-answers.ts'
import { createUnreadLimit } from '../serving/untaken.ts'
import { abortOnDisconnect } from '../serving/whoever-asks.ts'

export interface ReportsContext {
  /** @throws Failure */
  readonly askReport: (ask: ReportRequest, signal: AbortSignal) => Promise<StreamedResponse>
  readonly now: () => Date
}

/** Groups, of some 200 bytes. */
const UNTAKEN_MAX = 1_000_000
const holdUntaken = createUnreadLimit('reports', UNTAKEN_MAX)

export async function sendReport(
  { askReport }: ReportsContext,
  ask: ReportRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const asked = await askReport(ask, abortOnDisconnect(reply.raw))
  try {
    holdUntaken(ask.query.accountId, asked.head.groups, reply.raw)
  } catch (error) {
    await asked.pieces.return(undefined)
    throw error
  }
  return sendStreamedResponse(asked, reply)
}
