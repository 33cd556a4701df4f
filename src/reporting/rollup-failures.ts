// Folding that fails again and again, told to the operator: soon, and then now and then, with how often it was.

/** What may be over by itself, such as a database that starts again, is told where it lasts. */
const UNAVAILABLE_TOLD_AFTER_MS = 60_000
/** Between two lines of what goes on. */
const TOLD_EVERY_MS = 600_000

export interface RollupFailures {
  /** @param isUnavailable true where the database, or the process that folds, is away or slow */
  readonly failed: (error: Error, isUnavailable: boolean) => void
  /** A look at all accounts that met with no failure. */
  readonly wentWell: () => void
}

/**
 * @param report writes a line; told whether it is a fault of the service's own, or of what it needs
 * @param onFailure told of each
 * @param now in milliseconds
 */
export function createRollupFailures(
  report: (error: Error, isUnavailable: boolean) => void,
  onFailure: () => void,
  now: () => number,
): RollupFailures {
  let failures = 0
  let since = 0
  let toldAt = -Infinity
  return {
    failed: (error, isUnavailable) => {
      onFailure()
      if (failures === 0) since = now()
      failures += 1
      const isEarly = isUnavailable && now() - since < UNAVAILABLE_TOLD_AFTER_MS
      if (isEarly || now() - toldAt < TOLD_EVERY_MS) return
      toldAt = now()
      report(new Error(sentenceOf(error, failures, now() - since), { cause: error }), isUnavailable)
    },
    wentWell: () => {
      failures = 0
      toldAt = -Infinity
    },
  }
}

function sentenceOf({ message }: Error, failures: number, milliseconds: number): string {
  const times = failures === 1 ? 'failed' : `failed ${failures} times in ${Math.round(milliseconds / 60_000)} min`
  return `Folding entries for reports ${times}, so that reports take longer: ${message}`
}
