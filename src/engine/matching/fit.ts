// Compares one text with one name of a model: what agrees, what the text leaves open, what contradicts.
import {
  compareCodes,
  compareIdentity,
  compareBrand,
  type ComparisonResult,
  type MissingFeature,
  type MatchContext,
} from './compare-identity.ts'
import { compareNumbers, compareScreenSize, compareWords } from './compare-words.ts'
import type { IndexedModel, ModelProfile } from './catalogue-index.ts'
import type { ParsedText } from './parse-text.ts'

export interface Comparison {
  readonly entry: IndexedModel
  readonly isOwnName: boolean
  /** Traits in which text and name agree. */
  readonly agreed: readonly string[]
  /** Missing traits without which the text names a family and not this model. */
  readonly lacking: readonly MissingFeature[]
  /** Traits that the text leaves open but that are not needed to distinguish the model. */
  readonly open: readonly string[]
  readonly contradictions: readonly string[]
}

/** The comparison with the name that suits the text best. */
export function bestComparison(entry: IndexedModel, reading: ParsedText, around: MatchContext): Comparison {
  let best: Comparison | null = null
  for (const profile of entry.profiles) {
    const fit = fitOf(entry, profile, reading, around)
    if (best === null || compareRank(fit, best) < 0) best = fit
  }
  return best!
}

/** Negative if `a` fits better. */
export const compareRank = (a: Comparison, b: Comparison): number =>
  a.contradictions.length - b.contradictions.length ||
  a.lacking.length - b.lacking.length ||
  Number(a.open.length > 0) - Number(b.open.length > 0) ||
  b.agreed.length - a.agreed.length ||
  Number(b.isOwnName) - Number(a.isOwnName)

function fitOf(entry: IndexedModel, profile: ModelProfile, reading: ParsedText, around: MatchContext): Comparison {
  const judgement: ComparisonResult = { agreed: [], lacking: [], open: [], contradictions: [] }
  const isCoded = compareCodes(entry, reading, judgement)
  compareWords(entry, profile, reading, around, isCoded, judgement)
  compareNumbers(entry, profile, reading, around, isCoded, judgement)
  compareScreenSize(entry, profile, reading, around, isCoded, judgement)
  compareIdentity(entry, profile, reading, isCoded, judgement)
  compareBrand(entry, profile, reading, around, judgement)
  if (around.named.has(entry.model.id)) judgement.agreed.push('the whole name')
  else if (profile.isGeneral) judgement.lacking.push({ trait: 'name', text: 'the name itself' })
  return { entry, isOwnName: profile.isOwnName, ...judgement }
}

/** The fraction of the traits in text and name that agree, 0 to 1. */
export function similarity({ agreed, lacking, open, contradictions }: Comparison): number {
  const all = agreed.length + lacking.length + contradictions.length + open.length / 4
  return all === 0 ? 0 : agreed.length / all
}

/** What agrees, what is left open and what contradicts, in words. */
export const explainComparison = (
  { agreed, lacking, open, contradictions }: Comparison,
  accessory: string | null,
): readonly string[] => [
  ...(agreed.length > 0 ? [`fits: ${agreed.join(', ')}`] : []),
  ...(lacking.length > 0 ? [`the text does not say: ${lacking.map(({ text }) => text).join(', ')}`] : []),
  ...(open.length > 0 ? [`left open: ${open.join(', ')}`] : []),
  ...(contradictions.length > 0 ? [`contradicts: ${contradictions.join(', ')}`] : []),
  ...(accessory === null ? [] : [`the text names a thing for a device ("${accessory}")`]),
]
