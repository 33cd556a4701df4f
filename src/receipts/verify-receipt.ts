// Verifies a receipt from its text alone: recomputes every printed value from the printed inputs.
import type { MatchLexicon } from '../engine/matching/match-lexicon.ts'
import type { ReferenceData } from '../engine/reference/reference-data.ts'
import { runToCompletion, type Resumable } from '../engine/numbers/steps.ts'
import { EARLIER_HASH, HASH, type HashForm } from '../documents/canonical.ts'
import { checkSeal } from '../documents/check-seal.ts'
import { buildReceipt } from './build-receipt.ts'
import { checkDefaults } from './check-defaults.ts'
import { checkEvents } from './check-events.ts'
import { checkFootprints, checkMatches, checkReferences } from './check-references.ts'
import { readReferenceData } from './read-reference-data.ts'
import { RECEIPT_FORMAT, RECEIPT_FORMATS, readReceiptInputs, type ReceiptFormat } from './read-receipt.ts'
import {
  firstDifference,
  firstDifferenceResumable,
  isJsonObject,
  withoutMembers,
  parseExactJson,
  type Difference,
  type JsonValue,
  type JsonObject,
} from '../strict-json/exact-tree.ts'
import { Decoder, differenceOfError } from '../strict-json/decoder.ts'

export type Verification =
  | { readonly outcome: 'equal'; readonly receipt: VerifiedReceipt }
  | {
      readonly outcome: 'different'
      readonly difference: Difference
      /** False if the text was changed after the receipt was issued. */
      readonly hashFits: boolean
    }
  | { readonly outcome: 'no-receipt'; readonly sentence: string }

export interface VerifiedReceipt {
  readonly orderId: string
  readonly customerId: string
  readonly lines: number
  readonly devices: number
  /** Devices whose footprint was fixed by an earlier order, or was guessed or mapped from the order's attributes. */
  readonly recorded: number
  readonly hash: string
  /** Releases whose figures were compared with the datasets themselves; `otherReleases` were not available. */
  readonly comparedReleases: readonly string[]
  readonly otherReleases: readonly string[]
}

/** Deeper nesting would only exhaust the stack; a receipt has few levels. */
const NESTING_MAX = 64

/**
 * Pure: the same text gives the same result wherever it is verified with the same lexicon.
 * @param lexicon reads the brands of products, which a receipt prints as they were sent
 * @param published available reference data, used instead of the printed figures of a release with the same name or
 * hash
 */
export function verifyReceipt(
  text: string,
  lexicon: MatchLexicon,
  published: readonly ReferenceData[] = [],
): Verification {
  let tree: JsonValue
  try {
    tree = parseExactJson(text)
  } catch (error) {
    return { outcome: 'no-receipt', sentence: `It is not JSON that can be read: ${(error as Error).message}` }
  }
  if (!isJsonObject(tree) || formatOf(tree) === null) return { outcome: 'no-receipt', sentence: describeOther(tree) }
  if (nestingOf(tree) > NESTING_MAX) return { outcome: 'no-receipt', sentence: 'It is nested too deeply' }
  return runToCompletion(verifyReceiptResumable(tree, lexicon, published))
}

const formatOf = (tree: JsonObject): ReceiptFormat | null =>
  RECEIPT_FORMATS.find((format) => format === tree['media_type']) ?? null

/** The hash that its text has; null if there is none, because RFC 8785 cannot write it. */
function* hashOf(tree: JsonObject, form: HashForm): Resumable<string | null> {
  try {
    return yield* form.digestInSteps(withoutMembers(tree, ['hash', 'signature']))
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

/** A client that saved a response without checking its status has an error response instead of a receipt. */
function describeOther(tree: JsonValue): string {
  if (isJsonObject(tree) && typeof tree['code'] === 'string' && 'request_id' in tree)
    return `It says why a request was not served: ${tree['code']}`
  // Receipts issued before version 2 of the media type name their form in this member.
  if (isJsonObject(tree) && typeof tree['receipt'] === 'string')
    return `It has the form ${tree['receipt']}: verify it with the version of Cradle that issued it`
  return `It is not a receipt of the media type ${RECEIPT_FORMAT}`
}

/**
 * Checks who signed a receipt; null if it is not signed.
 * @param wanted fingerprint of the key that must have signed it; null if not known
 */
export async function verifyReceiptSeal(
  text: string,
  wanted: string | null,
): Promise<Awaited<ReturnType<typeof checkSeal>> | null> {
  const tree = parseExactJson(text) as JsonObject
  if (!('signed_by' in tree || 'signature' in tree)) return null
  return await checkSeal(tree, { hash: HASH, type: 'vnd.cradle.receipt+jws' }, wanted)
}

/** The same for a parsed or newly built receipt, for callers that must not block other work meanwhile. */
export function* verifyReceiptResumable(
  tree: JsonObject,
  lexicon: MatchLexicon,
  published: readonly ReferenceData[],
): Resumable<Exclude<Verification, { outcome: 'no-receipt' }>> {
  const form = formatOf(tree) === RECEIPT_FORMAT ? HASH : EARLIER_HASH.receipt
  const ownHash = { algorithm: 'sha256', of: form.of, value: yield* hashOf(tree, form) }
  const { hash } = tree
  const hashFits = isJsonObject(hash) && hash['value'] === ownHash.value
  try {
    return yield* compare(tree, ownHash, hashFits, lexicon, published)
  } catch (error) {
    return { outcome: 'different', difference: differenceOfError(error), hashFits }
  }
}

function* compare(
  tree: JsonObject,
  ownHash: JsonObject,
  hashFits: boolean,
  lexicon: MatchLexicon,
  published: readonly ReferenceData[],
): ReturnType<typeof verifyReceiptResumable> {
  const receipt = new Decoder(tree)
  const printed = receipt
    .get('releases')
    .list()
    .map((release) => readReferenceData(release, lexicon))
  const referenceDataById = printed.map((referenceData) => published.find(isOneOf(referenceData)) ?? referenceData)
  const inputs = readReceiptInputs(
    receipt,
    printed.map(({ release }) => release),
    formatOf(tree) ?? RECEIPT_FORMAT,
  )
  yield
  checkReferences(receipt, inputs.facts, (id) => printed[id]!)
  checkMatches(receipt, inputs.facts, (id) => referenceDataById[id]!)
  yield
  checkEvents(receipt, inputs.facts)
  checkDefaults(receipt, inputs.facts, published)
  yield
  const composed = yield* buildReceipt(inputs, (id) => referenceDataById[id]!)
  const content = withoutMembers(tree, ['signed_by', 'hash', 'signature'])
  // The hash is compared last because the recomputed content shows where a receipt was changed and the hash does not.
  const difference = (yield* firstDifferenceResumable(composed.tree, content)) ?? composed.imbalance
  const recorded = difference ? 0 : checkFootprints(receipt, inputs.facts)
  const last = difference ?? firstDifference(ownHash, tree['hash'], '/hash')
  if (last) return { outcome: 'different', difference: last, hashFits }
  const names = (isCompared: boolean) =>
    referenceDataById
      .filter((referenceData) => published.includes(referenceData) === isCompared)
      .map(({ release }) => release)
  return {
    outcome: 'equal',
    receipt: {
      orderId: inputs.facts.order.orderId,
      customerId: inputs.facts.order.customerId,
      lines: composed.lines,
      devices: composed.devices,
      recorded,
      hash: (ownHash as { readonly value: string }).value,
      comparedReleases: names(true),
      otherReleases: names(false),
    },
  }
}

/** Matches by name or hash, so that changing only one of the two cannot avoid the comparison. */
const isOneOf =
  (printed: ReferenceData) =>
  ({ release, hash }: ReferenceData): boolean =>
    release === printed.release || hash === printed.hash

function nestingOf(tree: JsonValue): number {
  let level: readonly JsonValue[] = [tree]
  for (let depth = 0; ; depth += 1) {
    const next = level.flatMap((one) =>
      Array.isArray(one) ? (one as JsonValue[]) : isJsonObject(one) ? Object.values(one) : [],
    )
    if (next.length === 0) return depth
    level = next
  }
}
