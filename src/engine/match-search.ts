// Search for people: every word has to begin a word of the model, or be one slip of the keyboard away from one.
import type { Entry } from './match-profile.ts'
import { isOneSlipApart, tokensOf } from './match-text.ts'

export interface SearchHit {
  readonly id: string
  /** 0 to 1. */
  readonly score: number
}

interface Ranked {
  readonly id: string
  readonly score: number
}

const PREFIX = 0.8
const SLIP = 0.5
/** Shorter words are too like one another for a slip to be told from another word. */
const SLIP_LENGTH_MIN = 4

/** @returns a search over the entries; `matched` are the candidates of the matcher, which rank the hits */
export function createSearch(entries: readonly Entry[]) {
  const places = new Map<string, number[]>()
  for (const [at, { model, words, codes, inches }] of entries.entries()) {
    const sizes = inches === null ? [] : [String(Math.floor(inches)), String(Math.round(inches))]
    const tokens = new Set([...sizes, ...tokensOf(`${model.brand} ${model.name} ${model.type}`), ...words, ...codes])
    for (const token of tokens) places.set(token, [...(places.get(token) ?? []), at])
  }
  return (query: string, limit: number, matched: readonly Ranked[]): readonly SearchHit[] => {
    const scores = scoresOf(tokensOf(query), places, entries.length)
    const ranked = new Map(matched.map(({ id, score }) => [id, score]))
    return [...scores]
      .map(([at, likeness]) => {
        const { id } = entries[at]!.model
        return { id, score: Math.round((likeness + (ranked.get(id) ?? 0)) * 500) / 1000 }
      })
      .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
      .slice(0, limit)
  }
}

/** The entries that have every word, with the mean of how well each word is met, 0 to 1. */
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
  return word.length >= SLIP_LENGTH_MIN && !/\d/.test(word) && isOneSlipApart(word, token) ? SLIP : 0
}
