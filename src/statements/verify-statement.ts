// Verifies a statement from its text alone: signature, form, and every sum, recomputed from the printed data.
import { runToCompletion } from '../engine/numbers/steps.ts'
import { EARLIER_HASH, HASH } from '../documents/canonical.ts'
import { checkSeal, explainFailure, type Checked } from '../documents/check-seal.ts'
import {
  describeDifference,
  firstDifference,
  quoteValue,
  isJsonObject,
  withoutMembers,
  parseExactJson,
  type Difference,
  type JsonValue,
  type JsonObject,
} from '../strict-json/exact-tree.ts'
import { Decoder } from '../strict-json/decoder.ts'
import { findInconsistencies } from './check-data.ts'
import { buildStatement } from './build-statement.ts'
import { readStatementData } from './read-statement.ts'
import { compareDigests, digestsOfOrders, type OrderDigest } from './completeness.ts'
import { printStatement } from './print-statement.ts'
import {
  STATEMENT_FORMAT,
  STATEMENT_FORMATS,
  type EarlierYears,
  type StatementContent,
  type StatementData,
} from './statement.ts'

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
export async function verifyStatement(text: string, fingerprint: string | null): Promise<StatementVerification> {
  let tree: JsonValue
  try {
    tree = parseExactJson(text)
  } catch (error) {
    return { outcome: 'no-statement', sentence: `It is not JSON that can be read: ${(error as Error).message}` }
  }
  const format = isJsonObject(tree) && STATEMENT_FORMATS.find((one) => one === tree['media_type'])
  if (!isJsonObject(tree) || !format) return { outcome: 'no-statement', sentence: describeOther(tree) }
  const hash = format === STATEMENT_FORMAT ? HASH : EARLIER_HASH.statement
  const seal = await checkSeal(tree, { hash, type: 'vnd.cradle.statement+jws' }, fingerprint)
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
  return `${customer} in ${year}, ${typeof total === 'string' ? total : quoteValue(total)} kg CO2e`
}

/** Recomputes every sum, balance, share and interval from the entries. */
function checkContent(tree: JsonObject): Checked {
  const content = withoutMembers(tree, ['signed_by', 'hash', 'signature'])
  try {
    const facts = readStatementData(new Decoder(tree))
    const misfits = [
      ...(facts.media_type === STATEMENT_FORMAT ? checkCompleteness(tree) : []),
      ...findInconsistencies(facts).map(sentenceAbout),
    ]
    if (misfits.length > 0) return { checked: [], differences: misfits.slice(0, DIFFERENCES_MAX) }
    const statement = runToCompletion(buildStatement(facts))
    const difference = firstDifference(runToCompletion(printStatement(statement)), content)
    if (!difference) return { checked: sentencesOf(facts, statement, tree), differences: [] }
    return { checked: [], differences: [sentenceAbout(difference)] }
  } catch (error) {
    return { checked: [], differences: [explainFailure(error)] }
  }
}

const sentenceAbout = (difference: Difference): string => `At ${describeDifference(difference)}.`

const DIFFERENCES_MAX = 20
const REVISION_MAX = 1_000_000

/** Compares the orders with the list of their digests, and the list with its Merkle root. */
function checkCompleteness(tree: JsonObject): readonly string[] {
  const completeness = new Decoder(tree).get('completeness')
  const listed = completeness
    .get('orders')
    .list()
    .map((one): OrderDigest => ({
      order_id: one.get('order_id').text(),
      ...(one.has('revision') && { revision: one.get('revision').integer(REVISION_MAX) }),
      digest: one.get('digest').text(),
    }))
  return compareDigests(runToCompletion(digestsOfOrders(tree)), listed, completeness.get('root').text())
}

function sentencesOf(
  { devices, orders, year, calculation_bases: bases }: StatementData,
  { corrections_of_earlier_years: earlier }: StatementContent,
  { completeness }: JsonObject,
): readonly string[] {
  const entries = [...devices.flatMap(({ rentals }) => rentals), ...orders].flatMap((one) => one.entries)
  return [
    `All ${entries.length} entries are placed before ${year}, in one of its months, or after it, and add up to every ` +
      'total, part, month and category.',
    ...(earlier ? [sentenceOf(earlier, year)] : []),
    `The opening balance and the year make the closing balance of each of the ${devices.length} devices, part by part.`,
    `Packaging and transportation of each of the ${orders.length} orders are what its devices have of them together.`,
    ...(isJsonObject(completeness)
      ? [`Each of the ${orders.length} orders is listed once; the root is ${quoteValue(completeness['root'])}.`]
      : []),
    `Shares by type, match level and data quality, and the uncertainty, follow from the ${bases.length} calculation ` +
      'bases.',
  ]
}

const sentenceOf = ({ years, emission }: EarlierYears, year: number): string =>
  `Of the total of ${year}, ${emission} kg concern earlier years, and are the sum of ` +
  `${years.flatMap(({ causes }) => causes).length} corrections, each recomputed from its entries.`
