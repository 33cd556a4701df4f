// `cradle verify FILE`: computes a receipt again from what it says it rests on, without a database.
import { join } from 'node:path'
import { readDatasetFiles } from '../reference-data/files.ts'
import { loadReferenceData } from '../reference-data/load.ts'
import type { ReferenceData } from '../engine/reference/reference-data.ts'
import { verifyReceipt, type Verification, type VerifiedReceipt } from '../receipts/verify-receipt.ts'
import { displayName, readText } from './read-file.ts'
import { verifyAllCommand } from './verify-all.ts'
import { print } from './with-database.ts'

const DATA = join(import.meta.dirname, '..', '..', 'data')
const IS_DIFFERENT = 1
/** Far more than the receipt of an order of 1000 devices has. */
const BYTES_MAX = 64 * 1024 * 1024
const IS_NO_RECEIPT = 2

/** Ends with 0 for equal, 1 for different, 2 for what is no receipt. */
export async function verifyCommand(file: string | undefined, options: { readonly all?: boolean }): Promise<void> {
  if (options.all && file === undefined) return verifyAllCommand()
  if (options.all || file === undefined) return refuse('Name one file with a receipt, - for standard input, or --all')
  try {
    const receipt = await readText(file, BYTES_MAX)
    if (receipt === null) return refuse(`${displayName(file)} is larger than ${BYTES_MAX} bytes: that is no receipt`)
    answer(file, verifyReceipt(receipt, publishedBooks()))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error
    refuse(`"${file}" cannot be read: ${(error as Error).message}`)
  }
}

function answer(file: string, verification: Verification): void {
  switch (verification.outcome) {
    case 'equal':
      warn(verification.receipt)
      return print(describe(verification.receipt))
    case 'different': {
      const { pointer, expected, found, hashFits } = verification
      print(`different: at ${pointer === '' ? 'the whole' : pointer}: expected ${expected}, found ${found}`)
      print(hashFits ? 'The hash fits the text: it was made with this content.' : 'The hash does not fit the text.')
      process.exitCode = IS_DIFFERENT
      return
    }
    case 'no-receipt':
      return refuse(`${displayName(file)} is no receipt: ${verification.sentence}`)
  }
}

function warn({ otherReleases }: VerifiedReceipt): void {
  for (const name of otherReleases) {
    process.stderr.write(
      `cradle: The figures of ${JSON.stringify(name)} are not at hand: nobody says that they are real\n`,
    )
  }
}

function describe(verified: VerifiedReceipt): string {
  const { customerId, orderId, lines, devices, recorded, hash, comparedReleases, otherReleases } = verified
  const unknown = otherReleases.map((name) => `figures of ${JSON.stringify(name)} only as the receipt has them, `)
  const counted = [
    count(lines, 'line'),
    count(devices, 'device'),
    ...(recorded > 0 ? [`${recorded} charged as recorded`] : []),
    ...comparedReleases.map((name) => `figures as published in ${name}`),
  ]
  const order = `order ${JSON.stringify(orderId)} of ${JSON.stringify(customerId)}`
  return `equal: ${unknown.join('')}${order}, ${counted.join(', ')}, hash ${hash}`
}

const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`

/** The datasets that come with the program. Where they are being worked on and not sound, none are at hand. */
function publishedBooks(): readonly ReferenceData[] {
  try {
    return [loadReferenceData(readDatasetFiles(DATA))]
  } catch {
    return []
  }
}

function refuse(sentence: string): void {
  process.stderr.write(`cradle: ${sentence}\n`)
  process.exitCode = IS_NO_RECEIPT
}
