// Reports repeated roll-up failures to the operator: soon, and then periodically with their number.

/** Temporary problems, such as a database restart, are reported only if they last this long. */
const UNAVAILABLE_TOLD_AFTER_MS = 60_000
/** Minimum interval between two log lines about a continuing failure. */
const TOLD_EVERY_MS = 600_000

export interface RollupFailures {
  /** @param isUnavailable true if the database or the roll-up process is unavailable or slow */
  readonly failed: (error: Error, isUnavailable: boolean) => void
  /** All accounts were checked without a failure. */
  readonly wentWell: () => void
}

/**
 * @param report writes a log line; `isUnavailable` is true for a failing dependency, false for an error of the service
 * @param onFailure called for each failure
 * @param now in milliseconds
 */
export function createRollupFailures(
  report: (error: Error, isUnavailable: boolean) => void,
  onFailure: () => void,
  now: () => number,
): RollupFailures {
  let failures = 0
  let since = 0
  let reportedAt = -Infinity
  return {
    failed: (error, isUnavailable) => {
      onFailure()
      if (failures === 0) since = now()
      failures += 1
      const isEarly = isUnavailable && now() - since < UNAVAILABLE_TOLD_AFTER_MS
      if (isEarly || now() - reportedAt < TOLD_EVERY_MS) return
      reportedAt = now()
      report(new Error(sentenceOf(error, failures, now() - since), { cause: error }), isUnavailable)
    },
    wentWell: () => {
      failures = 0
      reportedAt = -Infinity
    },
  }
}

function sentenceOf({ message }: Error, failures: number, milliseconds: number): string {
  const times = failures === 1 ? 'failed' : `failed ${failures} times in ${Math.round(milliseconds / 60_000)} min`
  return `Folding entries for reports ${times}, so that reports take longer: ${message}`
}
