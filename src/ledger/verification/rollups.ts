// Verifies the report roll-ups: rolls up the entries again and compares the result byte by byte, chunk by chunk.
import { hash } from 'node:crypto'
import type { ReferenceDataOf } from '../../engine/reference/reference-data.ts'
import type { StoredChunk } from '../../postgres/reporting/fact-chunks.ts'
import type { AccountRollup } from '../../postgres/verification/rollups.ts'
import { createFactBuilder } from '../../reporting/facts-of-entry.ts'
import { rollUp } from '../../reporting/rollup.ts'
import { VerificationFindings, type RowDifference } from './context.ts'

/**
 * @param isDatabaseFailure true for a read error, after which nothing is known about the unread data
 * @returns every chunk that differs from the roll-up of the entries, and missing or surplus chunks
 */
export async function verifyReports(
  folded: AccountRollup,
  referenceDataOf: ReferenceDataOf,
  isDatabaseFailure: (error: unknown) => boolean,
): Promise<readonly RowDifference[]> {
  const { accountId, chunks, chunk, postings } = folded
  const differences: RowDifference[] = []
  const findingsOf = (chunkNo: number) => new VerificationFindings(accountId, `chunk ${chunkNo} of its reports`)
  let made = 0
  const compare = async (recomputed: StoredChunk) => {
    made += 1
    const findings = findingsOf(recomputed.chunkNo)
    const stored = await chunk(recomputed.chunkNo)
    for (const [member, of] of MEMBERS) findings.compare(member, stored && of(stored), of(recomputed))
    differences.push(...findings.differences)
  }
  try {
    await rollUp(
      { postings: postings(), last: null, write: compare },
      createFactBuilder((releaseId) => Promise.resolve(referenceDataOf(releaseId))),
    )
  } catch (error) {
    if (isDatabaseFailure(error)) throw error
    const findings = findingsOf(made)
    findings.add('the whole', 'as it stands', `nothing: ${(error as Error).message}`)
    return [...differences, ...findings.differences]
  }
  if (chunks > made) {
    const findings = new VerificationFindings(accountId, 'its reports')
    findings.compare('chunks', chunks, made)
    differences.push(...findings.differences)
  }
  return differences
}

const MEMBERS: readonly (readonly [string, (chunk: StoredChunk) => string | number])[] = [
  ['facts', ({ facts }) => facts],
  ['days', ({ days }) => [...days.order, ...days.dispatch, ...days.tenure].join(' ')],
  ['content', ({ content }) => hash('sha256', content)],
]
