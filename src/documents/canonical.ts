// The canonical form of receipts and statements: JSON by RFC 8785 (JCS) in UTF-8, and its SHA-256.
import { createHash, hash } from 'node:crypto'
import canonicalize from 'canonicalize'
import { runToCompletion, type Resumable } from '../engine/numbers/steps.ts'
import {
  isJsonObject,
  sha256OfCanonical,
  writeInSteps,
  type JsonForm,
  type JsonObject,
  type JsonValue,
} from '../strict-json/exact-tree.ts'

/** @throws RangeError for what RFC 8785 cannot write: a number that no double is, or half of a surrogate pair */
function writeCanonical(tree: JsonValue): string {
  try {
    return canonicalize(tree)!
  } catch (error) {
    if (error instanceof RangeError) throw error
    throw new RangeError((error as Error).message, { cause: error })
  }
}

/** Names are sorted by UTF-16 code units, as JavaScript compares them. */
const JCS: JsonForm = {
  membersOf: (object) => Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)),
  write: writeCanonical,
}

/** SHA-256 of the canonical form, in hexadecimal. @throws RangeError for what RFC 8785 cannot write */
export const digestOf = (tree: JsonValue): string =>
  isJsonObject(tree) ? runToCompletion(digestInSteps(tree)) : hash('sha256', writeCanonical(tree))

export function* digestInSteps(tree: JsonObject): Resumable<string> {
  const digest = createHash('sha256')
  yield* writeInSteps(tree, JCS, (piece) => void digest.update(piece))
  return digest.digest('hex')
}

/** What a document says of its hash, and how that is computed. */
export interface HashForm {
  readonly of: string
  readonly digestInSteps: (content: JsonObject) => Resumable<string>
}

export const HASH: HashForm = {
  of: 'all other members but signature, as canonical JSON by RFC 8785 (JCS) in UTF-8',
  digestInSteps,
}

const EARLIER_FORM =
  'as canonical JSON in UTF-8: members sorted by code point, no white space, numbers in shortest decimal form, ' +
  'strings escaped as JSON.stringify does: only ", \\ and characters below U+0020'

function* earlierDigest(content: JsonObject): Resumable<string> {
  yield
  return sha256OfCanonical(content)
}

/** The hash of statements of version 3 and of receipts of version 2. */
export const EARLIER_HASH = {
  statement: { of: `all other members but signature ${EARLIER_FORM}`, digestInSteps: earlierDigest },
  receipt: { of: `all other members ${EARLIER_FORM}`, digestInSteps: earlierDigest },
} as const satisfies Record<string, HashForm>
