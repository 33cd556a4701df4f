// Finds the known names closest to an unknown one, for suggestions in error messages.

import type { Problem } from '../order.ts'

/** As many as a reader will consider. */
export const SUGGESTIONS_MAX = 3
const LIKENESS_MIN = 0.35
/** Length of text compared: enough to distinguish all ids, and a limit on the work a hostile name can cause. */
const CHARACTERS_MAX = 60

/**
 * Up to three names that share the most pairs of letters with the text, closest first.
 * @param textsOf other texts that may be used for a name, such as its title
 * @param likenessMin 0 to 1
 */
export function closestMatches(
  text: string,
  names: Iterable<string>,
  textsOf: (name: string) => readonly string[] = () => [],
  likenessMin = LIKENESS_MIN,
): readonly string[] {
  const wanted = pairsOf(text)
  return [...names]
    .map((name) => ({
      name,
      likeness: Math.max(...[name, ...textsOf(name)].map((one) => likeness(wanted, pairsOf(one)))),
    }))
    .filter(({ likeness }) => likeness >= likenessMin)
    .sort((a, b) => b.likeness - a.likeness || (a.name < b.name ? -1 : 1))
    .slice(0, SUGGESTIONS_MAX)
    .map(({ name }) => name)
}

/** Adds suggestions to a problem if there are any. */
export const withSuggestions = (problem: Problem, suggestions: readonly string[]): Problem =>
  suggestions.length > 0 ? { ...problem, suggestions } : problem

function pairsOf(text: string): ReadonlySet<string> {
  const letters = text.slice(0, CHARACTERS_MAX).toLowerCase()
  return new Set(Array.from({ length: Math.max(1, letters.length - 1) }, (_, at) => letters.slice(at, at + 2)))
}

/** Dice's coefficient: twice the number of common pairs divided by the total number of pairs, 0 to 1. */
function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let common = 0
  for (const pair of a) if (b.has(pair)) common += 1
  return (2 * common) / (a.size + b.size)
}
