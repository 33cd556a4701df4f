// Works on several elements at once, with the results in the order of the elements.

/**
 * @param atOnce how many are worked on at the same time
 * @throws what the work throws, after all that was begun has ended
 */
export async function* mapAhead<Element, Result>(
  elements: Iterable<Element>,
  atOnce: number,
  work: (element: Element) => Promise<Result>,
): AsyncGenerator<Result, void> {
  const begun: Promise<Result>[] = []
  try {
    for (const element of elements) {
      begun.push(work(element))
      // It may fail before it is awaited.
      begun.at(-1)!.catch(() => undefined)
      if (begun.length >= atOnce) yield await begun.shift()!
    }
    while (begun.length > 0) yield await begun.shift()!
  } finally {
    await Promise.allSettled(begun)
  }
}
