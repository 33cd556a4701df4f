// The digests of a statement's orders, with their Merkle root: no order can be taken away, doubled or changed unseen.
import { digestOf } from '../documents/canonical.ts'
import { auditPath, leafHash, merkleRoot, type NodeHash } from '../documents/merkle-tree.ts'
import { mapResumable, type Resumable } from '../engine/numbers/steps.ts'
import { JsonNumber, compareNames, isJsonObject, type JsonObject, type JsonValue } from '../strict-json/exact-tree.ts'
import { referenceKey, type StatementContent } from './statement.ts'

export interface OrderDigest {
  readonly order_id: string
  /** From 2: which content of the order. */
  readonly revision?: number
  /** SHA-256 of all that the statement says of the order. */
  readonly digest: string
}

export interface Completeness {
  readonly algorithm: typeof TREE_ALGORITHM
  readonly of: string
  /** The orders and revisions of the statement, sorted by id and revision, each once. */
  readonly orders: readonly OrderDigest[]
  readonly root: string
}

export const TREE_ALGORITHM = 'rfc6962-sha256'

const COMPLETENESS_OF =
  'the members of orders, sorted by the code points of order_id, then by revision (1 if absent): the data of a leaf ' +
  'is its member as canonical JSON by RFC 8785; digest is the SHA-256 of {"order": its element of orders, "rentals": ' +
  'its rentals in the order of devices, each with serial_number}, by RFC 8785 too'

/** The leaf of the Merkle tree. */
const leafOf = ({ order_id: id, revision, digest }: OrderDigest): NodeHash =>
  leafHash(canonicalText({ digest, order_id: id, ...(revision !== undefined && { revision }) }))

/** As RFC 8785 has it: the names are in order, and the values are strings and a whole number. */
const canonicalText = (leaf: OrderDigest): string => JSON.stringify(leaf)

const compareOrders = (a: OrderDigest, b: OrderDigest): number =>
  compareNames(a.order_id, b.order_id) || (a.revision ?? 1) - (b.revision ?? 1)

/** @param statement in the form of which the members are digested, already read and found to be of that form */
export function* digestsOfOrders(statement: JsonObject): Resumable<readonly OrderDigest[]> {
  const rentals = Map.groupBy(listOf(statement['devices']).flatMap(rentalsOf), keyOf)
  const digests = yield* mapResumable(listOf(statement['orders']), (order) => ({
    ...referenceOf(order),
    digest: digestOf({ order, rentals: rentals.get(keyOf(order)) ?? [] }),
  }))
  return digests.toSorted(compareOrders)
}

const listOf = (value: JsonValue | undefined): readonly JsonObject[] =>
  (value as readonly JsonValue[]).filter((one) => isJsonObject(one))

const rentalsOf = (device: JsonObject): readonly JsonObject[] =>
  listOf(device['rentals']).map((rental) => ({ ...rental, serial_number: device['serial_number']! }))

const referenceOf = ({ order_id: id, revision }: JsonObject): Omit<OrderDigest, 'digest'> => ({
  order_id: id as string,
  ...(revision instanceof JsonNumber && { revision: Number(revision.text) }),
})

const keyOf = (one: JsonObject): string => referenceKey(referenceOf(one))

export function* completenessOf(statement: JsonObject): Resumable<Completeness> {
  const orders = yield* digestsOfOrders(statement)
  return { algorithm: TREE_ALGORITHM, of: COMPLETENESS_OF, orders, root: rootOf(orders) }
}

const rootOf = (orders: readonly OrderDigest[]): string => merkleRoot(orders.map(leafOf)).toString('hex')

/** What is wrong with a list of digests, given the orders of the statement and the root. Sentences that name orders. */
export function compareDigests(own: readonly OrderDigest[], listed: readonly OrderDigest[], root: string): string[] {
  const [byKey, ownByKey] = [Map.groupBy(listed, referenceKey), Map.groupBy(own, referenceKey)]
  const sentences: string[] = []
  for (const key of new Set([...byKey.keys(), ...ownByKey.keys()])) {
    const [digests, ownDigests] = [byKey.get(key) ?? [], ownByKey.get(key) ?? []]
    const name = nameOf((digests[0] ?? ownDigests[0])!)
    if (ownDigests.length === 0) sentences.push(`${name} is missing: its digest is listed, and the order is not.`)
    else if (digests.length === 0) sentences.push(`${name} was added: no digest of it is listed.`)
    else if (ownDigests.length > 1) sentences.push(`${name} stands ${ownDigests.length} times.`)
    else if (digests.length > 1) sentences.push(`The digest of ${name} is listed ${digests.length} times.`)
    else if (digests[0]!.digest !== ownDigests[0]!.digest)
      sentences.push(
        `${name} was altered: its digest is ${ownDigests[0]!.digest}, and ${digests[0]!.digest} is listed.`,
      )
  }
  if (listed.some((one, at) => at > 0 && compareOrders(listed[at - 1]!, one) > 0))
    sentences.push('The digests of orders are not sorted.')
  const expected = rootOf(listed)
  if (expected !== root) sentences.push(`The digests of orders have the root ${expected}, not ${root}.`)
  return sentences
}

const nameOf = ({ order_id: id, revision }: OrderDigest): string =>
  `The order ${JSON.stringify(id)}${revision === undefined ? '' : `, revision ${revision},`}`

/** What shows, with the root in a statement, that an order is in it or that it is not. */
export function orderProof(
  { customer_id, year, issued }: Pick<StatementContent, 'customer_id' | 'year' | 'issued'>,
  orderId: string,
  completeness: Completeness,
) {
  const { algorithm, root, orders } = completeness
  const leaves = leavesFor(orderId, completeness)
  return {
    customer_id,
    year,
    known_at: issued.known_at,
    order_id: orderId,
    is_included: leaves.some((leaf) => leaf.order_id === orderId),
    algorithm,
    root,
    tree_size: orders.length,
    leaves,
  }
}

/** A leaf of the tree, and the hashes with which the root follows from it. */
interface ProvenLeaf extends OrderDigest {
  /** From 0, in the sorted list. */
  readonly index: number
  readonly path: readonly string[]
}

/** The leaves of an order, one for each revision; if it has none, those between which they would stand. */
function leavesFor(orderId: string, { orders }: Completeness): readonly ProvenLeaf[] {
  const leaves = orders.map(leafOf)
  const own = orders.flatMap((one, at) => (one.order_id === orderId ? [at] : []))
  const next = orders.findIndex((one) => compareNames(one.order_id, orderId) > 0)
  const place = next === -1 ? orders.length : next
  const shown = own.length > 0 ? own : [place - 1, place].filter((at) => at >= 0 && at < orders.length)
  return shown.map((at) => ({
    ...orders[at]!,
    index: at,
    path: auditPath(leaves, at).map((hash) => hash.toString('hex')),
  }))
}
