// Verifies a receipt from its text alone: everything that it prints is computed again from what it says it rests on.
import type { ReferenceData } from '../engine/figures/factor-book.ts'
import { runToCompletion, type Resumable } from '../engine/numbers/steps.ts'
import { RECEIPT_FORM, composeReceipt } from './compose-receipt.ts'
import { checkHistory } from './check-history.ts'
import { checkCharges, checkGuesses, checkNames } from './checks.ts'
import { readBook } from './read-book.ts'
import { readInputs } from './read-inputs.ts'
import {
  firstDifference,
  firstDifferenceInSteps,
  hashOf,
  isTreeObject,
  parseTree,
  type Tree,
  type TreeObject,
} from './json-tree.ts'
import { Node, ReceiptFault, show } from './tree-node.ts'

export type Verification =
  | { readonly outcome: 'equal'; readonly receipt: VerifiedReceipt }
  | {
      readonly outcome: 'different'
      /** A JSON pointer; empty where what the receipt rests on does not belong together. */
      readonly pointer: string
      readonly expected: string
      readonly found: string
      /** False where the text was changed after the receipt was made. */
      readonly hashFits: boolean
    }
  | { readonly outcome: 'no-receipt'; readonly sentence: string }

export interface VerifiedReceipt {
  readonly orderId: string
  readonly customerId: string
  readonly lines: number
  readonly devices: number
  /** Devices that are charged by what their first order fixed, or by what its words were taken for. */
  readonly recorded: number
  readonly hash: string
  /** Releases whose figures were compared with the datasets themselves, and those that were not at hand. */
  readonly comparedReleases: readonly string[]
  readonly otherReleases: readonly string[]
}

/** Deep nesting would only exhaust the stack; a receipt has few levels. */
const NESTING_MAX = 64

/**
 * Pure: the same text gives the same answer, wherever it is verified.
 * @param published factor books at hand: their figures are taken instead of those that are printed under their names
 */
export function verifyReceipt(text: string, published: readonly ReferenceData[] = []): Verification {
  let tree: Tree
  try {
    tree = parseTree(text)
  } catch (error) {
    return { outcome: 'no-receipt', sentence: `It is not JSON that can be read: ${(error as Error).message}` }
  }
  if (!isTreeObject(tree) || tree['receipt'] !== RECEIPT_FORM)
    return { outcome: 'no-receipt', sentence: describeOther(tree) }
  if (nestingOf(tree) > NESTING_MAX) return { outcome: 'no-receipt', sentence: 'It is nested too deeply' }
  const { hash, ...content } = tree
  return runToCompletion(verifyInSteps(tree, isTreeObject(hash) && hash['value'] === hashOf(content), published))
}

/** Whoever saved an answer without looking at its status has this in place of a receipt. */
const describeOther = (tree: Tree): string =>
  isTreeObject(tree) && typeof tree['code'] === 'string' && 'request_id' in tree
    ? `It says why a request was not served: ${tree['code']}`
    : `It is not a receipt of the form ${RECEIPT_FORM}`

/** The same, of a receipt that was read or just made, for who must not hold up others meanwhile. */
export function* verifyInSteps(
  tree: TreeObject,
  hashFits: boolean,
  published: readonly ReferenceData[],
): Resumable<Exclude<Verification, { outcome: 'no-receipt' }>> {
  try {
    return yield* compare(tree, hashFits, published)
  } catch (error) {
    if (error instanceof ReceiptFault) {
      const { pointer, message, found } = error
      return { outcome: 'different', pointer, expected: message, found: show(found), hashFits }
    }
    // The engine says in a RangeError why facts cannot belong together; what is not there at all is a TypeError.
    if (!(error instanceof RangeError || error instanceof TypeError)) throw error
    const found = error instanceof RangeError ? error.message : 'facts that are missing'
    return { outcome: 'different', pointer: '', expected: 'facts that belong together', found, hashFits }
  }
}

function* compare(
  tree: TreeObject,
  hashFits: boolean,
  published: readonly ReferenceData[],
): ReturnType<typeof verifyInSteps> {
  const receipt = new Node(tree)
  const printed = receipt.get('releases').list().map(readBook)
  const books = printed.map((book) => published.find(isOneOf(book)) ?? book)
  const inputs = readInputs(
    receipt,
    printed.map(({ release }) => release),
  )
  yield
  checkNames(receipt, inputs.facts, (id) => printed[id]!)
  checkGuesses(receipt, inputs.facts, (id) => books[id]!)
  yield
  checkHistory(receipt, inputs.facts, (id) => books[id]!)
  yield
  const composed = yield* composeReceipt(inputs, (id) => books[id]!)
  const { hash, ...content } = tree
  const { hash: ownHash, ...ownContent } = composed.tree
  // The hash comes last: what was computed again says where a receipt is changed, and the hash does not.
  const difference = (yield* firstDifferenceInSteps(ownContent, content)) ?? composed.imbalance
  const recorded = difference ? 0 : checkCharges(receipt, inputs.facts)
  const last = difference ?? firstDifference(ownHash, hash, '/hash')
  if (last) {
    const { pointer, expected, found } = last
    return { outcome: 'different', pointer, expected: show(expected), found: show(found), hashFits }
  }
  const names = (isCompared: boolean) =>
    books.filter((book) => published.includes(book) === isCompared).map(({ release }) => release)
  return {
    outcome: 'equal',
    receipt: {
      orderId: inputs.facts.order.orderId,
      customerId: inputs.facts.order.customerId,
      lines: composed.lines,
      devices: composed.devices,
      recorded,
      hash: (composed.tree['hash'] as { readonly value: string }).value,
      comparedReleases: names(true),
      otherReleases: names(false),
    },
  }
}

/** Neither a release's name nor its content can be changed alone to escape the comparison. */
const isOneOf =
  (printed: ReferenceData) =>
  ({ release, hash }: ReferenceData): boolean =>
    release === printed.release || hash === printed.hash

function nestingOf(tree: Tree): number {
  let level: readonly Tree[] = [tree]
  for (let depth = 0; ; depth += 1) {
    const next = level.flatMap((one) =>
      Array.isArray(one) ? (one as Tree[]) : isTreeObject(one) ? Object.values(one) : [],
    )
    if (next.length === 0) return depth
    level = next
  }
}
