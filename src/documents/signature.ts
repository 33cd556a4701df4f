// Signs receipts, statements and passports: their hash, as a JWS (RFC 7515) with the account's Ed25519 key.
import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { CompactSign, compactVerify, decodeProtectedHeader, errors } from 'jose'
import { runToCompletion, type Resumable } from '../engine/numbers/steps.ts'
import { toJsonValue, type JsonObject } from '../strict-json/exact-tree.ts'
import { HASH, digestInSteps } from './canonical.ts'

export const SIGNATURE_OF =
  'the value of hash, as a JWS in compact form (RFC 7515): its protected header names the algorithm (alg), the ' +
  'fingerprint of the key (kid) and what is signed (typ)'

/** Types of signed objects, so that no other JWS made with the same key can pass as the signature of one. */
export type DocumentType = 'vnd.cradle.statement+jws' | 'vnd.cradle.receipt+jws' | 'vnd.cradle.passport+jws'

export interface SigningKey {
  readonly algorithm: 'ed25519'
  /** SPKI in PEM. */
  readonly public_key: string
  /** SHA-256 of the raw 32-byte key, in hexadecimal. */
  readonly fingerprint: string
}

/** SHA-256 of the 32 bytes of a public key, in hexadecimal: short enough to be read out. */
export const fingerprintOf = (publicKey: KeyObject): string =>
  createHash('sha256')
    .update(Buffer.from(publicKey.export({ format: 'jwk' }).x!, 'base64url'))
    .digest('hex')

/** @param der PKCS #8 in DER */
export const privateKeyOf = (der: Uint8Array): KeyObject =>
  createPrivateKey({ key: Buffer.from(der), format: 'der', type: 'pkcs8' })

/** The public half of a key, in the form used in a document. */
export function signingKeyOf(privateKey: KeyObject): SigningKey {
  const publicKey = createPublicKey(privateKey)
  return {
    algorithm: 'ed25519',
    public_key: publicKey.export({ format: 'pem', type: 'spki' }) as string,
    fingerprint: fingerprintOf(publicKey),
  }
}

/** The public half of a key as a JWK (RFC 8037), with the id that signatures name. */
export function jwkOf(privateKey: KeyObject) {
  const publicKey = createPublicKey(privateKey)
  const { x } = publicKey.export({ format: 'jwk' })
  return { kty: 'OKP', crv: 'Ed25519', x: x!, kid: fingerprintOf(publicKey), use: 'sig', alg: 'EdDSA' } as const
}

const headerOf = (fingerprint: string, type: DocumentType) => ({ alg: 'EdDSA', kid: fingerprint, typ: type })

/** The members with which a document is signed, apart from `signed_by`. */
export interface Seal {
  readonly hash: { readonly algorithm: 'sha256'; readonly of: string; readonly value: string }
  readonly signature: { readonly algorithm: 'EdDSA'; readonly of: string; readonly value: string }
}

export function* hashMember(content: JsonObject): Resumable<Seal['hash']> {
  return { algorithm: 'sha256', of: HASH.of, value: yield* digestInSteps(content) }
}

async function signHash(
  hash: string,
  privateKey: KeyObject,
  fingerprint: string,
  type: DocumentType,
): Promise<Seal['signature']> {
  const header = headerOf(fingerprint, type)
  const value = await new CompactSign(Buffer.from(hash)).setProtectedHeader(header).sign(privateKey)
  return { algorithm: 'EdDSA', of: SIGNATURE_OF, value }
}

export interface SignedDocument {
  readonly tree: JsonObject
  readonly members: Seal & { readonly signed_by: SigningKey }
}

/**
 * @param document without key, hash and signature
 * @param run does the work of hashing, in one go unless other work must go on meanwhile
 */
export async function signDocument(
  document: JsonObject,
  privateKey: KeyObject,
  type: DocumentType,
  run: Run = runToCompletion,
): Promise<SignedDocument> {
  const key = signingKeyOf(privateKey)
  const content = { ...document, signed_by: toJsonValue(key) }
  const hash = await run(hashMember(content))
  const signature = await signHash(hash.value, privateKey, key.fingerprint, type)
  return {
    tree: { ...content, ...(toJsonValue({ hash, signature }) as JsonObject) },
    members: { signed_by: key, hash, signature },
  }
}

export type Run = <Result>(steps: Resumable<Result>) => Result | Promise<Result>

/** True if the owner of this key signed this hash as the hash of a document of this type. */
export async function isSignatureOf(
  jws: string,
  hash: string,
  publicKey: KeyObject,
  type: DocumentType,
): Promise<boolean> {
  // Other texts could decode to the same bytes.
  if (jws.split('.').some((part) => Buffer.from(part, 'base64url').toString('base64url') !== part)) return false
  try {
    const { payload } = await compactVerify(jws, publicKey, { algorithms: ['EdDSA'] })
    const header = JSON.stringify(decodeProtectedHeader(jws))
    return (
      Buffer.from(payload).toString() === hash && header === JSON.stringify(headerOf(fingerprintOf(publicKey), type))
    )
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof TypeError) return false
    throw error
  }
}
