// Signs a statement: a hash of its canonical JSON, signed as a JWS (RFC 7515) with the account's Ed25519 key.
import { createHash, createPublicKey, sign, verify, type KeyObject } from 'node:crypto'
import { mapResumable, type Resumable } from '../engine/numbers/steps.ts'
import { sha256OfCanonicalResumable, toJsonValue, type JsonValue, type JsonObject } from '../strict-json/exact-tree.ts'
import type { SigningKey, Statement, StatementContent } from './statement.ts'

export const HASH_OF =
  'all other members but signature as canonical JSON in UTF-8: members sorted by code point, no white space, numbers ' +
  'in shortest decimal form, strings escaped as JSON.stringify does: only ", \\ and characters below U+0020'

export const SIGNATURE_OF =
  'the value of hash, as a JWS in compact form (RFC 7515): its protected header names the algorithm (alg), the ' +
  'fingerprint of the key (kid) and what is signed (typ)'

/** The type of the signed object, so that no other JWS made with the same key can pass as a statement's signature. */
const JWS_TYPE = 'vnd.cradle.statement+jws'

/** Header and payload of the JWS, which are the same for all signatures of one hash by one key. */
function signingInputOf(hash: string, fingerprint: string): string {
  const header = JSON.stringify({ alg: 'EdDSA', kid: fingerprint, typ: JWS_TYPE })
  return [header, hash].map((text) => Buffer.from(text).toString('base64url')).join('.')
}

/** SHA-256 of the 32 bytes of a public key, in hexadecimal: short enough to be read out. */
export const fingerprintOf = (publicKey: KeyObject): string =>
  createHash('sha256')
    .update(Buffer.from(publicKey.export({ format: 'jwk' }).x!, 'base64url'))
    .digest('hex')

/** The public half of a key, in the form used in a statement. */
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
  /** The statement as exact JSON. */
  readonly tree: JsonObject
}

export function* signStatement(content: StatementContent, privateKey: KeyObject): Resumable<SignedStatement> {
  const key = signingKeyOf(privateKey)
  const signed = { ...content, signed_by: key }
  const tree = yield* toJsonValueResumable(signed)
  const value = yield* sha256OfCanonicalResumable(tree)
  const input = signingInputOf(value, key.fingerprint)
  const signature = sign(null, Buffer.from(input), privateKey).toString('base64url')
  const seal = {
    hash: { algorithm: 'sha256', of: HASH_OF, value },
    signature: { algorithm: 'EdDSA', of: SIGNATURE_OF, value: `${input}.${signature}` },
  } as const
  return { statement: { ...signed, ...seal }, tree: { ...tree, ...(toJsonValue(seal) as JsonObject) } }
}

/** Like `toJsonValue` for an object, with a step for every element of a list that is a direct member. */
export function* toJsonValueResumable(object: object): Resumable<JsonObject> {
  const members: [string, JsonValue][] = []
  for (const [name, value] of Object.entries(object) as [string, unknown][])
    members.push([
      name,
      Array.isArray(value) ? yield* mapResumable(value as unknown[], toJsonValue) : toJsonValue(value),
    ])
  return Object.fromEntries(members)
}

/** True if the owner of this key signed this hash. */
export function verifySignature(publicKey: KeyObject, hash: string, jws: string): boolean {
  const input = signingInputOf(hash, fingerprintOf(publicKey))
  const signature = jws.slice(input.length + 1)
  const bytes = Buffer.from(signature, 'base64url')
  // Other texts could decode to the same bytes.
  if (jws !== `${input}.${bytes.toString('base64url')}`) return false
  return verify(null, Buffer.from(input), publicKey, bytes)
}
