// The seal of a statement: a hash over its canonical JSON, signed with the Ed25519 key of the account.
import { createHash, createPublicKey, sign, verify, type KeyObject } from 'node:crypto'
import { mapResumable, type Resumable } from '../engine/numbers/steps.ts'
import { sha256OfCanonicalResumable, toJsonValue, type JsonValue, type JsonObject } from '../strict-json/exact-tree.ts'
import { STATEMENT_FORMAT, type SigningKey, type Statement, type StatementContent } from './statement.ts'

export const HASH_OF =
  'all other members but signature as canonical JSON in UTF-8: members sorted by code point, no white space, numbers ' +
  'in shortest decimal form, strings escaped as JSON.stringify does: only ", \\ and characters below U+0020'

export const SIGNATURE_OF = `the ASCII text "${STATEMENT_FORMAT} sha256:" followed by the value of hash; in base64`

const messageOf = (hash: string): Buffer => Buffer.from(`${STATEMENT_FORMAT} sha256:${hash}`)

/** SHA-256 of the 32 bytes of a public key, in hexadecimal: short enough to be read out. */
export const fingerprintOf = (publicKey: KeyObject): string =>
  createHash('sha256')
    .update(Buffer.from(publicKey.export({ format: 'jwk' }).x!, 'base64url'))
    .digest('hex')

/** The public half of a key, as a statement names it. */
export function signingKeyOf(privateKey: KeyObject): SigningKey {
  const publicKey = createPublicKey(privateKey)
  return {
    algorithm: 'ed25519',
    public_key: publicKey.export({ format: 'pem', type: 'spki' }) as string,
    fingerprint: fingerprintOf(publicKey),
  }
}

export interface SignedStatement {
  readonly statement: Statement
  /** The same as exact JSON. */
  readonly tree: JsonObject
}

export function* signStatement(content: StatementContent, privateKey: KeyObject): Resumable<SignedStatement> {
  const signed = { ...content, signed_by: signingKeyOf(privateKey) }
  const tree = yield* toJsonValueResumable(signed)
  const value = yield* sha256OfCanonicalResumable(tree)
  const seal = {
    hash: { algorithm: 'sha256', of: HASH_OF, value },
    signature: {
      algorithm: 'ed25519',
      of: SIGNATURE_OF,
      value: sign(null, messageOf(value), privateKey).toString('base64'),
    },
  } as const
  return { statement: { ...signed, ...seal }, tree: { ...tree, ...(toJsonValue(seal) as JsonObject) } }
}

/** `toJsonValue` of an object, with a step for every element of a list that it holds. */
export function* toJsonValueResumable(object: object): Resumable<JsonObject> {
  const members: [string, JsonValue][] = []
  for (const [name, value] of Object.entries(object) as [string, unknown][])
    members.push([
      name,
      Array.isArray(value) ? yield* mapResumable(value as unknown[], toJsonValue) : toJsonValue(value),
    ])
  return Object.fromEntries(members)
}

/** True where the signature was made over this hash by the owner of this key. */
export function verifySignature(publicKey: KeyObject, hash: string, signature: string): boolean {
  const bytes = Buffer.from(signature, 'base64')
  // Other texts may decode to the same bytes.
  return bytes.toString('base64') === signature && verify(null, messageOf(hash), publicKey, bytes)
}
