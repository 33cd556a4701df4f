// The nearest names to one that is not known, so that an error can say what was probably meant.

import type { Problem } from '../order.ts'

/** As many as one looks at. */
export const SUGGESTIONS_MAX = 3
const LIKENESS_MIN = 0.35
/** What is compared of a name: enough to tell all ids apart, and a bound on the work that a hostile name can cause. */
const CHARACTERS_MAX = 60

/**
 * Up to three of the names that share most pairs of letters with the text, nearest first.
 * @param textsOf other texts by which a name may be meant, like its title
 */
export function closestMatches(
  text: string,
  names: Iterable<string>,
  textsOf: (name: string) => readonly string[] = () => [],
): readonly string[] {
  const wanted = pairsOf(text)
  return [...names]
    .map((name) => ({
      name,
      likeness: Math.max(...[name, ...textsOf(name)].map((one) => likeness(wanted, pairsOf(one)))),
    }))
    .filter(({ likeness }) => likeness >= LIKENESS_MIN)
    .sort((a, b) => b.likeness - a.likeness || (a.name < b.name ? -1 : 1))
    .slice(0, SUGGESTIONS_MAX)
    .map(({ name }) => name)
}

/** A problem with its suggestions, where there are any. */
export const withSuggestions = (problem: Problem, suggestions: readonly string[]): Problem =>
  suggestions.length > 0 ? { ...problem, suggestions } : problem

function pairsOf(text: string): ReadonlySet<string> {
  const letters = text.slice(0, CHARACTERS_MAX).toLowerCase()
  return new Set(Array.from({ length: Math.max(1, letters.length - 1) }, (_, at) => letters.slice(at, at + 2)))
}

/** Dice's coefficient: twice the pairs in common over all pairs, 0 to 1. */
function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let common = 0
  for (const pair of a) if (b.has(pair)) common += 1
  return (2 * common) / (a.size + b.size)
}
