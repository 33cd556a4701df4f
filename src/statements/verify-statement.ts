// Verifies a statement from its text alone: signature, form, and every sum, recomputed from the printed data.
import { createPublicKey, type KeyObject } from 'node:crypto'
import { runToCompletion } from '../engine/numbers/steps.ts'
import {
  firstDifference,
  sha256OfCanonical,
  isJsonObject,
  parseExactJson,
  type JsonValue,
  type JsonObject,
} from '../strict-json/exact-tree.ts'
import { Decoder, DecodeError, quoteValue } from '../strict-json/decoder.ts'
import { findInconsistencies } from './check-data.ts'
import { buildStatement } from './build-statement.ts'
import { readStatementData } from './read-statement.ts'
import { HASH_OF, SIGNATURE_OF, fingerprintOf, verifySignature, toJsonValueResumable } from './sign.ts'
import { STATEMENT_FORMAT, type EarlierYears, type StatementContent, type StatementData } from './statement.ts'

export type StatementVerification =
  | { readonly outcome: 'no-statement'; readonly sentence: string }
  | {
      readonly outcome: 'equal' | 'different'
      /** Sentences about what is correct. */
      readonly checked: readonly string[]
      /** Sentences about what differs and where; empty if everything is correct. */
      readonly differences: readonly string[]
      /** Fingerprint of the signing key as given in the statement; null if it has none. */
      readonly fingerprint: string | null
      /** What the statement is about, according to its own text. */
      readonly summary: string
    }

/**
 * Pure: the same text gives the same result wherever it is verified.
 * @param fingerprint of the key that must have signed it; null if not known
 */
export function verifyStatement(text: string, fingerprint: string | null): StatementVerification {
  let tree: JsonValue
  try {
    tree = parseExactJson(text)
  } catch (error) {
    return { outcome: 'no-statement', sentence: `It is not JSON that can be read: ${(error as Error).message}` }
  }
  if (!isJsonObject(tree) || tree['media_type'] !== STATEMENT_FORMAT)
    return { outcome: 'no-statement', sentence: describeOther(tree) }
  const seal = checkSeal(tree, fingerprint)
  const content = checkContent(tree)
  const differences = [...seal.differences, ...content.differences]
  return {
    outcome: differences.length === 0 ? 'equal' : 'different',
    checked: [...seal.checked, ...content.checked],
    differences,
    fingerprint: seal.fingerprint,
    summary: summaryOf(tree),
  }
}

/** Statements issued before version 3 of the media type name their form in the member `statement`. */
const describeOther = (tree: JsonValue): string =>
  isJsonObject(tree) && typeof tree['statement'] === 'string'
    ? `It has the form ${tree['statement']}: verify it with the version of Cradle that issued it`
    : `It is not a statement of the media type ${STATEMENT_FORMAT}`

function summaryOf(tree: JsonObject): string {
  const [customer, year] = [tree['customer_id'], tree['year']].map(quoteValue)
  const total = isJsonObject(tree['summary']) ? tree['summary']['total_emission'] : undefined
  return `${customer} in ${year}, ${quoteValue(total)} kg CO2e`
}

interface Checked {
  readonly checked: readonly string[]
  readonly differences: readonly string[]
}

/** Checks hash, key and signature, which identify the issuer of this text and prove that it has not been changed. */
function checkSeal(tree: JsonObject, wanted: string | null): Checked & { readonly fingerprint: string | null } {
  const content = without(tree, ['hash', 'signature'])
  const statement = new Decoder(tree)
  try {
    const hash = sha256OfCanonical(content)
    const key = readKey(statement.get('signed_by'))
    const fingerprint = fingerprintOf(key)
    const checks: readonly (readonly [boolean, string, string])[] = [
      [
        statement.get('hash').get('value').text() === hash,
        `The hash fits the text: ${hash}.`,
        `The hash does not fit the text, which was changed after it was issued: expected ${hash}.`,
      ],
      [
        verifySignature(key, hash, statement.get('signature').get('value').text()),
        'The signature is of the key that is named.',
        'The signature is not of the key that is named, or not of this text.',
      ],
      ...(wanted === null ? [] : [checkKey(fingerprint, wanted)]),
    ]
    checkForm(statement)
    return {
      checked: checks.flatMap(([isRight, sentence]) => (isRight ? [sentence] : [])),
      differences: checks.flatMap(([isRight, , sentence]) => (isRight ? [] : [sentence])),
      fingerprint,
    }
  } catch (error) {
    return { checked: [], differences: [faultOf(error)], fingerprint: null }
  }
}

const without = (tree: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(tree).filter(([name]) => !names.includes(name)))

const checkKey = (fingerprint: string, wanted: string) =>
  [
    fingerprint === wanted,
    'It is the key that was asked for.',
    `It is signed with another key than was asked for: ${fingerprint}, not ${wanted}.`,
  ] as const

function checkForm(statement: Decoder): void {
  statement.get('hash').get('algorithm').is('sha256')
  statement.get('hash').get('of').is(HASH_OF)
  statement.get('signature').get('algorithm').is('EdDSA')
  statement.get('signature').get('of').is(SIGNATURE_OF)
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

/** Recomputes every sum, balance, share and interval from the entries. */
function checkContent(tree: JsonObject): Checked {
  const content = without(tree, ['signed_by', 'hash', 'signature'])
  try {
    const facts = readStatementData(new Decoder(tree))
    const misfits = findInconsistencies(facts).map(({ pointer, sentence }) => `At ${pointer}: ${sentence}.`)
    if (misfits.length > 0) return { checked: [], differences: misfits.slice(0, DIFFERENCES_MAX) }
    const statement = runToCompletion(buildStatement(facts))
    const difference = firstDifference(runToCompletion(toJsonValueResumable(statement)), content)
    if (!difference) return { checked: sentencesOf(facts, statement), differences: [] }
    const { pointer, expected, found } = difference
    return {
      checked: [],
      differences: [`At ${pointer}: expected ${quoteValue(expected)}, found ${quoteValue(found)}.`],
    }
  } catch (error) {
    return { checked: [], differences: [faultOf(error)] }
  }
}

const DIFFERENCES_MAX = 20

function sentencesOf(
  { devices, orders, year, calculation_bases: bases }: StatementData,
  { corrections_of_earlier_years: earlier }: StatementContent,
): readonly string[] {
  const entries = [...devices.flatMap(({ rentals }) => rentals), ...orders].flatMap((one) => one.entries)
  return [
    `All ${entries.length} entries are placed before ${year}, in one of its months, or after it, and add up to every ` +
      'total, part, month and category.',
    ...(earlier ? [sentenceOf(earlier, year)] : []),
    `The opening balance and the year make the closing balance of each of the ${devices.length} devices, part by part.`,
    `Packaging and transportation of each of the ${orders.length} orders are what its devices have of them together.`,
    `Shares by type, match level and data quality, and the uncertainty, follow from the ${bases.length} calculation ` +
      'bases.',
  ]
}

const sentenceOf = ({ years, emission }: EarlierYears, year: number): string =>
  `Of the total of ${year}, ${emission} kg concern earlier years, and are the sum of ` +
  `${years.flatMap(({ causes }) => causes).length} corrections, each recomputed from its entries.`

function faultOf(error: unknown): string {
  if (error instanceof DecodeError)
    return `At ${error.pointer}: expected ${error.message}, found ${quoteValue(error.found)}.`
  // The engine throws a RangeError with the reason if inputs are inconsistent; a missing value causes a TypeError.
  if (error instanceof RangeError) return `The facts cannot belong together: ${error.message}.`
  if (error instanceof TypeError) return 'The facts cannot belong together: some are missing.'
  throw error
}
