// Keeps a lease for as long as the work that it is for may take.

/**
 * Renews a lease on a timer, since work may report nothing for longer than a lease lasts.
 * @param renew is not called again before its promise has settled
 * @param onFailure is told why the lease was not renewed; while the database is unavailable, it may still be held
 * @returns a function that ends the renewal, and waits for one that is under way
 */
export function keepLease(
  renew: () => Promise<void>,
  everyMs: number,
  onFailure: (error: unknown) => void,
): () => Promise<void> {
  let renewing: Promise<void> | null = null
  const timer = setInterval(() => {
    renewing ??= renew()
      .catch(onFailure)
      .finally(() => (renewing = null))
  }, everyMs)
  return async () => {
    clearInterval(timer)
    await renewing
  }
}
