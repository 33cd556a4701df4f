// `cradle verify-statement`: recomputes a statement, checks its signature, and looks for the orders of receipts in it.
import { findReceipt } from '../statements/receipt-in-statement.ts'
import { verifyStatement } from '../statements/verify-statement.ts'
import { displayName, print, readText } from './context.ts'
import { KEY_EXPECTED, fingerprintIn } from './fingerprint.ts'

const IS_DIFFERENT = 1
const IS_NO_STATEMENT = 2
/** Several times the size of the statement with the most devices. */
const STATEMENT_BYTES_MAX = 256 * 1024 * 1024
/** Far more than the receipt of an order of 1000 devices has. */
const RECEIPT_BYTES_MAX = 64 * 1024 * 1024

/** Exits with 0 if everything is correct, 1 if anything differs, 2 if the input is not a statement. */
export async function verifyStatementCommand(
  file: string,
  options: { readonly key?: string; readonly receipt?: readonly string[] },
): Promise<void> {
  const wanted = fingerprintIn(options.key)
  if (wanted === undefined) return rejectStatement(KEY_EXPECTED)
  try {
    const text = await readText(file, STATEMENT_BYTES_MAX)
    if (text === null)
      return rejectStatement(`${displayName(file)} is larger than ${STATEMENT_BYTES_MAX} bytes: that is no statement`)
    const receipts = await Promise.all((options.receipt ?? []).map((name) => readText(name, RECEIPT_BYTES_MAX)))
    await printStatementResult(file, text, wanted, receipts)
  } catch (error) {
    const isUnreadable = error instanceof SyntaxError || (error as NodeJS.ErrnoException).syscall !== undefined
    if (!isUnreadable) throw error
    rejectStatement(`"${file}" or a receipt cannot be read: ${(error as Error).message}`)
  }
}

async function printStatementResult(
  file: string,
  text: string,
  wanted: string | null,
  receipts: readonly (string | null)[],
): Promise<void> {
  const verification = await verifyStatement(text, wanted)
  if (verification.outcome === 'no-statement')
    return rejectStatement(`${displayName(file)} is no statement: ${verification.sentence}`)
  const { fingerprint, summary } = verification
  const found = receipts.map((receipt) => findReceipt(text, receipt ?? ''))
  const differences = [verification, ...found].flatMap((one) => one.differences)
  for (const sentence of [verification, ...found].flatMap((one) => one.checked)) print(`right: ${sentence}`)
  for (const sentence of differences) print(`wrong: ${sentence}`)
  print(differences.length === 0 ? `equal: ${summary}` : `different: it is not what was signed, or does not add up`)
  if (differences.length > 0) process.exitCode = IS_DIFFERENT
  if (wanted === null && fingerprint !== null)
    process.stderr.write(
      'cradle: Ask the rental company for the fingerprint of its key, by another way than this file came, and ' +
        `compare: ${fingerprint}\n`,
    )
}

function rejectStatement(sentence: string): void {
  process.stderr.write(`cradle: ${sentence}\n`)
  process.exitCode = IS_NO_STATEMENT
}
