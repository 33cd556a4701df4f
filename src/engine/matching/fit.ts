// Compares one text with one name of a model: what agrees, what the text leaves open, what contradicts.
import {
  compareCodes,
  compareIdentity,
  compareBrand,
  type ComparisonResult,
  type MissingFeature,
  type MatchContext,
} from './compare-identity.ts'
import type { Message } from '../message.ts'
import { compareNumbers, compareScreenSize, compareWords } from './compare-words.ts'
import type { IndexedModel, ModelProfile } from './catalogue-index.ts'
import { MATCH_MESSAGES, TRAIT_MESSAGES, describeTrait, traitOf, type Trait } from './messages.ts'
import type { ParsedText } from './parse-text.ts'

export interface Comparison {
  readonly entry: IndexedModel
  readonly isOwnName: boolean
  /** Traits in which text and name agree. */
  readonly agreed: readonly Trait[]
  /** Missing traits without which the text names a family and not this model. */
  readonly lacking: readonly MissingFeature[]
  /** Traits that the text leaves open but that are not needed to distinguish the model. */
  readonly open: readonly Trait[]
  readonly contradictions: readonly Trait[]
}

/** The comparison with the name that suits the text best. */
export const bestComparison = (entry: IndexedModel, reading: ParsedText, around: MatchContext): Comparison =>
  bestOf(entry, reading, around, false)!

/** The same if nothing of the text contradicts that name, else null; most models are ruled out by the first word. */
export const uncontradicted = (entry: IndexedModel, reading: ParsedText, around: MatchContext): Comparison | null =>
  bestOf(entry, reading, around, true)

function bestOf(entry: IndexedModel, reading: ParsedText, around: MatchContext, isStrict: boolean): Comparison | null {
  let best: Comparison | null = null
  for (const profile of entry.profiles) {
    const fit = fitOf(entry, profile, reading, around, isStrict)
    if (fit !== null && (best === null || compareRank(fit, best) < 0)) best = fit
  }
  return best
}

/** Negative if `a` fits better. */
export const compareRank = (a: Comparison, b: Comparison): number =>
  a.contradictions.length - b.contradictions.length ||
  a.lacking.length - b.lacking.length ||
  Number(a.open.length > 0) - Number(b.open.length > 0) ||
  b.agreed.length - a.agreed.length ||
  Number(b.isOwnName) - Number(a.isOwnName)

const COMPARISONS = [compareWords, compareNumbers, compareScreenSize, compareIdentity, compareBrand]

const WHOLE_NAME = traitOf(TRAIT_MESSAGES.trait_whole_name, {})
const NAME = traitOf(TRAIT_MESSAGES.trait_name, {})

/** @param isStrict returns null at the first contradiction */
function fitOf(
  entry: IndexedModel,
  profile: ModelProfile,
  reading: ParsedText,
  around: MatchContext,
  isStrict: boolean,
): Comparison | null {
  const judgement: ComparisonResult = { agreed: [], lacking: [], open: [], contradictions: [] }
  const isCoded = compareCodes(entry, profile, reading, judgement)
  for (const compare of COMPARISONS) {
    if (isStrict && judgement.contradictions.length > 0) return null
    compare(entry, profile, reading, around, isCoded, judgement)
  }
  if (isStrict && judgement.contradictions.length > 0) return null
  if (around.named.has(entry.model.id)) judgement.agreed.push(WHOLE_NAME)
  else if (profile.isGeneral) judgement.lacking.push({ kind: 'name', trait: NAME })
  return { entry, isOwnName: profile.isOwnName, ...judgement }
}

/** The fraction of the traits in text and name that agree, 0 to 1. */
export function similarity({ agreed, lacking, open, contradictions }: Comparison): number {
  const all = agreed.length + lacking.length + contradictions.length + open.length / 4
  return all === 0 ? 0 : agreed.length / all
}

/** What agrees, what is left open and what contradicts. */
export const explainComparison = (
  { agreed, lacking, open, contradictions }: Comparison,
  accessory: string | null,
): readonly Message[] => [
  ...(agreed.length > 0 ? [MATCH_MESSAGES.match_agrees({ traits: agreed.map(describeTrait) })] : []),
  ...(lacking.length > 0
    ? [MATCH_MESSAGES.match_lacks({ traits: lacking.map(({ trait }) => describeTrait(trait)) })]
    : []),
  ...(open.length > 0 ? [MATCH_MESSAGES.match_open({ traits: open.map(describeTrait) })] : []),
  ...(contradictions.length > 0
    ? [MATCH_MESSAGES.match_contradicts({ traits: contradictions.map(describeTrait) })]
    : []),
  ...(accessory === null ? [] : [MATCH_MESSAGES.match_accessory({ word: accessory })]),
]
