// The nearest names to one that is not known, so that an error can say what was probably meant.

const SUGGESTIONS_MAX = 3
const SIMILARITY_MIN = 0.35
/** What is compared of a name: enough to tell all ids apart, and a bound on the work that a hostile name can cause. */
const CHARACTERS_MAX = 60

/** Up to three of the names that share most pairs of letters with the text, nearest first. */
export function nearest(text: string, names: Iterable<string>): readonly string[] {
  const wanted = pairsOf(text)
  return [...names]
    .map((name) => ({ name, similarity: similarity(wanted, pairsOf(name)) }))
    .filter(({ similarity }) => similarity >= SIMILARITY_MIN)
    .sort((a, b) => b.similarity - a.similarity || (a.name < b.name ? -1 : 1))
    .slice(0, SUGGESTIONS_MAX)
    .map(({ name }) => name)
}

function pairsOf(text: string): ReadonlySet<string> {
  const letters = text.slice(0, CHARACTERS_MAX).toLowerCase()
  return new Set(Array.from({ length: Math.max(1, letters.length - 1) }, (_, at) => letters.slice(at, at + 2)))
}

/** Dice's coefficient: twice the pairs in common over all pairs, 0 to 1. */
function similarity(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let common = 0
  for (const pair of a) if (b.has(pair)) common += 1
  return (2 * common) / (a.size + b.size)
}
