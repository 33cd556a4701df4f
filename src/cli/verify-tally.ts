// The differences that a verification has found by now, as they are told, also where it stops before its end.
import type { Difference } from '../ledger/verification/context.ts'

/** Differences that are told one by one; of more, only the number. */
const TOLD_MAX = 20

export interface Tally {
  readonly lines: string[]
  readonly differences: () => number
  readonly add: (found: readonly Difference[]) => void
  /** Differences that are known by their number alone. */
  readonly addUnnamed: (count: number) => void
}

export function createTally(accounts: ReadonlyMap<number, string>): Tally {
  const lines: string[] = []
  let count = 0
  return {
    lines,
    differences: () => count,
    add: (found) => {
      count += found.length
      for (const one of found.slice(0, TOLD_MAX - lines.length)) lines.push(lineOf(one, accounts))
    },
    addUnnamed: (more) => {
      count += more
    },
  }
}

function lineOf(
  { accountId, subject, member, stored, recomputed }: Difference,
  accounts: ReadonlyMap<number, string>,
): string {
  const account = accounts.get(accountId) ?? `number ${accountId}`
  return `account "${account}", ${subject}: ${member}: stored ${stored}, recomputed ${recomputed}`
}

/** The database failed, or we did, before everything was compared: that is neither equal nor different. */
export class VerificationStopped extends Error {
  /** The first of the differences that were found by then. */
  readonly lines: readonly string[]

  constructor(cause: Error, { lines, differences }: Tally) {
    super(
      `The verification stopped before its end, and says nothing of what it had not compared: ${cause.message}. ` +
        `Differences found until then: ${differences()}`,
      { cause },
    )
    this.lines = lines
  }
}
