// `cradle verify-statement FILE`: computes a customer's statement again from its own entries, and checks who signed it.
import { verifyStatement } from '../statements/verify-statement.ts'
import { displayName, readText } from './read-file.ts'
import { print } from './with-database.ts'

const IS_DIFFERENT = 1
const IS_NO_STATEMENT = 2
/** Several times what a statement of the most devices has. */
const BYTES_MAX = 256 * 1024 * 1024
const FINGERPRINT = /^[0-9a-f]{64}$/

/** Ends with 0 where all is right, 1 where anything differs, 2 for what is no statement. */
export async function verifyStatementCommand(file: string, options: { readonly key?: string }): Promise<void> {
  const wanted = options.key?.replace(/[\s:]/g, '').toLowerCase() ?? null
  if (wanted !== null && !FINGERPRINT.test(wanted)) return refuse('--key takes a fingerprint: 64 hexadecimal digits')
  try {
    const text = await readText(file, BYTES_MAX)
    if (text === null) return refuse(`${displayName(file)} is larger than ${BYTES_MAX} bytes: that is no statement`)
    answer(file, text, wanted)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error
    refuse(`"${file}" cannot be read: ${(error as Error).message}`)
  }
}

function answer(file: string, text: string, wanted: string | null): void {
  const verification = verifyStatement(text, wanted)
  if (verification.outcome === 'no-statement')
    return refuse(`${displayName(file)} is no statement: ${verification.sentence}`)
  const { checked, differences, fingerprint, summary } = verification
  for (const sentence of checked) print(`right: ${sentence}`)
  for (const sentence of differences) print(`wrong: ${sentence}`)
  print(differences.length === 0 ? `equal: ${summary}` : `different: it is not what was signed, or does not add up`)
  if (differences.length > 0) process.exitCode = IS_DIFFERENT
  if (wanted === null && fingerprint !== null)
    process.stderr.write(
      'cradle: Ask the rental company for the fingerprint of its key, by another way than this file came, and ' +
        `compare: ${fingerprint}\n`,
    )
}

function refuse(sentence: string): void {
  process.stderr.write(`cradle: ${sentence}\n`)
  process.exitCode = IS_NO_STATEMENT
}
