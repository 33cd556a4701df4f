// A report that another process makes, handed on to whoever asked for it, no faster than it is taken.
import type { FastifyReply } from 'fastify'
import { sendPieces, type AskedPieces } from '../requests/asked-pieces.ts'
import type { ReportAsk } from './report-answers.ts'
import { createUntaken } from '../serving/untaken.ts'
import { untilGone } from '../serving/whoever-asks.ts'

export interface ReportsContext {
  /** @throws Failure */
  readonly askReport: (ask: ReportAsk, signal: AbortSignal) => Promise<AskedPieces>
  readonly now: () => Date
}

/** Groups, of some 200 bytes. */
const UNTAKEN_MAX = 1_000_000
const holdUntaken = createUntaken('reports', UNTAKEN_MAX)

export async function sendReport(
  { askReport }: ReportsContext,
  ask: ReportAsk,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const asked = await askReport(ask, untilGone(reply.raw))
  try {
    holdUntaken(ask.query.accountId, asked.head.groups, reply.raw)
  } catch (error) {
    await asked.pieces.return(undefined)
    throw error
  }
  return sendPieces(asked, reply)
}
