// Work in steps, for who must not hold up others: the same work is done at once where nobody waits.

/** Yields wherever the work may be interrupted; nothing is handed in or out. */
export type Resumable<Result> = Generator<undefined, Result, undefined>

export function runToCompletion<Result>(steps: Resumable<Result>): Result {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

/** `map`, with a step for every element. */
export function* mapResumable<One, Other>(
  all: Iterable<One>,
  toOther: (one: One, at: number) => Other,
): Resumable<Other[]> {
  const others: Other[] = []
  for (const one of all) {
    others.push(toOther(one, others.length))
    yield
  }
  return others
}
