// Checks hash, key and signature of a document, which identify its issuer and prove that it has not been changed.
import { createPublicKey, type KeyObject } from 'node:crypto'
import { runToCompletion } from '../engine/numbers/steps.ts'
import { Decoder, differenceOfError } from '../strict-json/decoder.ts'
import { describeDifference, withoutMembers, type JsonObject } from '../strict-json/exact-tree.ts'
import type { HashForm } from './canonical.ts'
import { SIGNATURE_OF, fingerprintOf, isSignatureOf, type DocumentType } from './signature.ts'

/** Sentences about what is correct, and about what differs. */
export interface Checked {
  readonly checked: readonly string[]
  readonly differences: readonly string[]
}

export interface SealForm {
  readonly hash: HashForm
  readonly type: DocumentType
}

/**
 * @param wanted fingerprint of the key that must have signed it; null if not known
 * @returns with the fingerprint of the key that the document names; null if it has none
 */
export async function checkSeal(
  document: JsonObject,
  { hash: hashForm, type }: SealForm,
  wanted: string | null,
): Promise<Checked & { readonly fingerprint: string | null }> {
  const content = withoutMembers(document, ['hash', 'signature'])
  const seal = new Decoder(document)
  try {
    const hash = runToCompletion(hashForm.digestInSteps(content))
    const key = readKey(seal.get('signed_by'))
    const fingerprint = fingerprintOf(key)
    const jws = seal.get('signature').get('value').text()
    const checks: readonly (readonly [boolean, string, string])[] = [
      [
        seal.get('hash').get('value').text() === hash,
        `The hash fits the text: ${hash}.`,
        `The hash does not fit the text, which was changed after it was issued: expected ${hash}.`,
      ],
      [
        await isSignatureOf(jws, hash, key, type),
        'The signature is of the key that is named.',
        'The signature is not of the key that is named, or not of this text.',
      ],
      ...(wanted === null ? [] : [checkKey(fingerprint, wanted)]),
    ]
    checkForm(seal, hashForm)
    return {
      checked: checks.flatMap(([isRight, sentence]) => (isRight ? [sentence] : [])),
      differences: checks.flatMap(([isRight, , sentence]) => (isRight ? [] : [sentence])),
      fingerprint,
    }
  } catch (error) {
    return { checked: [], differences: [explainFailure(error)], fingerprint: null }
  }
}

const checkKey = (fingerprint: string, wanted: string) =>
  [
    fingerprint === wanted,
    'It is the key that was asked for.',
    `It is signed with another key than was asked for: ${fingerprint}, not ${wanted}.`,
  ] as const

function checkForm(seal: Decoder, { of }: HashForm): void {
  seal.get('hash').get('algorithm').is('sha256')
  seal.get('hash').get('of').is(of)
  seal.get('signature').get('algorithm').is('EdDSA')
  seal.get('signature').get('of').is(SIGNATURE_OF)
}

function readKey(signedBy: Decoder): KeyObject {
  signedBy.get('algorithm').is('ed25519')
  const pem = signedBy.get('public_key')
  const key = toKey(pem.text())
  if (!key || key.export({ format: 'pem', type: 'spki' }) !== pem.value) throw pem.fault('an Ed25519 key in PEM')
  signedBy.get('fingerprint').is(fingerprintOf(key))
  return key
}

function toKey(pem: string): KeyObject | null {
  try {
    const key = createPublicKey(pem)
    return key.asymmetricKeyType === 'ed25519' ? key : null
  } catch {
    return null
  }
}

/** What is wrong with a document of which a value or the inputs do not have the required form. */
export const explainFailure = (error: unknown): string => `At ${describeDifference(differenceOfError(error))}.`
