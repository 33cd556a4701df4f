// Runs work as it comes, and work that shares a key one after the other.

/**
 * Returns a function that starts work once all earlier work with a common key has ended. If that failed, the work fails
 * with the same error and is not started. The calls have to be in the sequence in which the work is to be done.
 */
export function createSequence<Result>() {
  const last = new Map<string, Promise<Result>>()
  return (keys: readonly string[], work: () => Promise<Result>): Promise<Result> => {
    const earlier = keys.map((key) => last.get(key)).filter((one) => one !== undefined)
    const own = earlier.length === 0 ? work() : Promise.all(earlier).then(work)
    for (const key of keys) last.set(key, own)
    return own
  }
}
