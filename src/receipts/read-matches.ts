// What a receipt says that the order's products were taken for, and what else their words may mean.
import type { PrintedCandidate } from '../engine/matching/matcher.ts'
import { isExactMatch } from '../engine/reference/product-match.ts'
import type { OrderInputs } from '../engine/order-inputs.ts'
import type { Order } from '../engine/order.ts'
import type { Decoder } from './tree-node.ts'

export function readMatches(match: Decoder, { items }: Order): Pick<OrderInputs, 'bases' | 'found'> {
  const matches = match.list()
  if (matches.length !== items.filter(({ type }) => type === 'product').length) {
    throw match.fault('one match for every product')
  }
  return {
    bases: matches.map((one) => one.get('resolved_to').text()),
    found: matches.map((one) => one.get('found_by').text()),
  }
}

/** Where the words name the model themselves, nothing was judged. */
export const readCandidates = (match: Decoder): readonly PrintedCandidate[] =>
  isExactMatch(match.get('found_by').text()) ? [] : match.get('candidates').list().map(readCandidate)

const readCandidate = (node: Decoder): PrintedCandidate => ({
  model_id: node.get('model_id').text(),
  name: node.get('name').text(),
  score: node.get('score').amount(1),
  reasons: node
    .get('reasons')
    .list()
    .map((reason) => reason.text()),
})
