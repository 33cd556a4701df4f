// A receipt forged with care: what is changed in it, and everything that follows computed again, the hash renewed.
import { runToCompletion } from '../src/engine/numbers/steps.ts'
import { buildReceipt } from '../src/receipts/build-receipt.ts'
import { digestOf, HASH } from '../src/documents/canonical.ts'
import { parseExactJson, canonicalise, withoutMembers, type JsonObject } from '../src/strict-json/exact-tree.ts'
import { readReferenceData } from '../src/receipts/read-reference-data.ts'
import { readReceiptInputs } from '../src/receipts/read-receipt.ts'
import { Decoder } from '../src/strict-json/decoder.ts'
import { shippedReferenceData } from './shipped-book.ts'

const { referenceData } = shippedReferenceData()

/** What of a receipt is forged here. */
export interface Draft {
  issued: { at: string }
  order: {
    received_at: string
    as_received: { order_date: string; items: { config: { weight_kg: number; distance_km?: number } }[] }
  }
  events: { serial_number: string | null; event: { date?: string; tenure_months?: number } }[]
  match: { resolved_to: string; match_method: string; candidates: object[] }[]
  releases: { content_hash: string }[]
  devices: {
    footprint_id: string
    weight_kg?: string
    ledger: {
      rentals: { end: string; months: string }[]
      events: { emission: string; months_added: string }[]
    }
    posted: DraftEntry[]
  }[]
}

interface DraftEntry {
  entry_no: number
  reason: string
  posted_at: string
  event_id?: string
  terms: { start: string; end: string; months: string; country?: string }
  emission: Record<string, string>
}

const ROUNDS_MAX = 20

const treeOf = (draft: Draft): JsonObject => parseExactJson(JSON.stringify(draft)) as JsonObject

/** All that follows from what a draft says is computed again, and what was posted is made to add up. */
function sealed(draft: Draft): string {
  let tree = treeOf(draft)
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const composed = compose(tree)
    if (!composed) break
    tree = composed.tree
    if (!composed.imbalance) return canonicalise(hashed(tree))
    const { place, expected, found } = composed.imbalance
    const [, , at, , part] = place.split('/')
    const json = JSON.parse(canonicalise(tree)) as Draft
    const { emission } = json.devices[Number(at)]!.posted[0]!
    const difference = Number(expected) - Number(found)
    emission[part!] = String(Number((Number(emission[part!]) + difference).toFixed(6)))
    tree = treeOf(json)
  }
  return canonicalise(hashed(tree))
}

/** The receipt with a hash that fits its text. */
function hashed(receipt: JsonObject): JsonObject {
  const content = withoutMembers(receipt, ['hash'])
  return { ...content, hash: { algorithm: 'sha256', of: HASH.of, value: digestOf(content) } }
}

/** Null where the draft is so far off that nothing can be computed. */
function compose(tree: JsonObject) {
  try {
    const receipt = new Decoder(tree)
    const printed = receipt
      .get('releases')
      .list()
      .map((release) => readReferenceData(release, referenceData.matching))
    const names = printed.map(({ release }) => release)
    return runToCompletion(
      buildReceipt(readReceiptInputs(receipt, names), (id) =>
        names[id] === referenceData.release ? referenceData : printed[id]!,
      ),
    )
  } catch {
    return null
  }
}

/** @param change what is forged; everything that follows from it is made to fit */
export function forge(text: string, change: (draft: Draft) => void): string {
  const draft = JSON.parse(text) as Draft
  change(draft)
  return sealed(draft)
}
