// Search by users: every word of a query must begin a word of the model, or be one typing error away from one.
import type { IndexedModel } from './catalogue-index.ts'
import type { MatchLexicon } from './match-lexicon.ts'
import { isWithinOneEdit, tokenise } from './normalise-text.ts'

export interface SearchHit {
  readonly id: string
  /** 0 to 1; 1 for the model that is meant and its siblings. */
  readonly score: number
}

const PREFIX = 0.8
const SLIP = 0.5
/** Shorter words are too similar to each other to distinguish a typing error from another word. */
const SLIP_LENGTH_MIN = 4

/** Returns ids of at most `limit` models for a query: see `Matcher.search`. */
export type SearchModels = (
  query: string,
  limit: number,
  /** The model to which the matcher matches the query; null if there is none. */
  meant: IndexedModel | null,
  /** The matcher's candidates, best first; their scores rank the hits. */
  matched: readonly SearchHit[],
) => readonly SearchHit[]

/** @returns a search over the entries, whose words are indexed once for all queries */
export function createSearchIndex(entries: readonly IndexedModel[], lexicon: MatchLexicon): SearchModels {
  const places = placesOf(entries, lexicon)
  return (query, limit, meant, matched) => {
    const words = tokenise(query, lexicon)
    if (words.length === 0) return []
    const scores = new Map(matched.map(({ id, score }) => [id, score]))
    const rankOf = (id: string) => (id === meant?.model.id ? Infinity : (scores.get(id) ?? 0))
    const kin = meant === null ? [] : entries.filter(({ group }) => group === meant.group)
    const siblings = kin
      .map(({ model }) => ({ id: model.id, score: 1 }))
      .sort((a, b) => descending(rankOf(a.id), rankOf(b.id)) || (a.id < b.id ? -1 : 1))
    const taken = new Set(siblings.map(({ id }) => id))
    const hits = [...scoresOf(words, places, entries.length)]
      .map(([at, likeness]) => {
        const { id } = entries[at]!.model
        return { id, score: Math.round((likeness + (scores.get(id) ?? 0)) * 500) / 1000 }
      })
      .filter(({ id }) => !taken.has(id))
      .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
    return [...siblings, ...hits].slice(0, limit)
  }
}

const descending = (a: number, b: number): number => (a === b ? 0 : a > b ? -1 : 1)

/** The entries that contain each word. */
function placesOf(entries: readonly IndexedModel[], lexicon: MatchLexicon): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>()
  for (const [at, { model, words, codes, inches }] of entries.entries()) {
    const sizes = inches === null ? [] : [String(Math.floor(inches)), String(Math.round(inches))]
    const named = tokenise(`${model.brand} ${model.name} ${model.type}`, lexicon)
    const tokens = new Set([...sizes, ...named, ...words, ...codes])
    for (const token of tokens) places.set(token, [...(places.get(token) ?? []), at])
  }
  return places
}

/** The entries that match every word, with the mean quality of the matches, 0 to 1. */
function scoresOf(words: readonly string[], places: ReadonlyMap<string, readonly number[]>, count: number) {
  let scores = new Map<number, number>(Array.from({ length: count }, (_, at) => [at, 0]))
  for (const word of words) {
    const met = new Map<number, number>()
    for (const [token, list] of places) {
      const worth = worthOf(word, token) / words.length
      if (worth > 0) for (const at of list) met.set(at, Math.max(worth, met.get(at) ?? 0))
    }
    scores = new Map([...scores].flatMap(([at, sum]) => (met.has(at) ? [[at, sum + met.get(at)!] as const] : [])))
  }
  return scores
}

function worthOf(word: string, token: string): number {
  if (word === token) return 1
  if (token.startsWith(word)) return PREFIX
  return word.length >= SLIP_LENGTH_MIN && !/\d/.test(word) && isWithinOneEdit(word, token) ? SLIP : 0
}
