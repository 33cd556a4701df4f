// Generators for work that can be interrupted, so that it does not block other work; or run without interruption.

/** Yields wherever the work may be interrupted; no values are passed in or out. */
export type Resumable<Result> = Generator<undefined, Result, undefined>

export function runToCompletion<Result>(steps: Resumable<Result>): Result {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

/** Like `map`, with a yield after every element. */
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
