// `cradle verify FILE`: computes a receipt again from what it says it rests on, without a database.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { readDatasetFiles } from '../datasets/dataset-files.ts'
import { readDatasets } from '../datasets/read-datasets.ts'
import type { FactorBook } from '../engine/factor-book.ts'
import { verifyReceipt, type Verification, type VerifiedReceipt } from '../http/receipt-verify.ts'
import { verifyAllCommand } from './verify-all.ts'

const DATA = join(import.meta.dirname, '..', '..', 'data')
const IS_DIFFERENT = 1
const IS_NO_RECEIPT = 2

/** Ends with 0 for equal, 1 for different, 2 for what is no receipt. */
export async function verifyCommand(file: string | undefined, options: { readonly all?: boolean }): Promise<void> {
  if (options.all && file === undefined) return verifyAllCommand()
  if (options.all || file === undefined) return refuse('Name one file with a receipt, - for standard input, or --all')
  try {
    const receipt = file === '-' ? await text(process.stdin) : readFileSync(file, 'utf8')
    answer(file, verifyReceipt(receipt, publishedBooks()))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error
    refuse(`"${file}" cannot be read: ${(error as Error).message}`)
  }
}

function answer(file: string, verification: Verification): void {
  switch (verification.outcome) {
    case 'equal':
      return print(describe(verification.receipt))
    case 'different': {
      const { pointer, expected, found, hashFits } = verification
      print(`different: at ${pointer === '' ? 'the whole' : pointer}: expected ${expected}, found ${found}`)
      print(hashFits ? 'The hash fits the text: it was made with this content.' : 'The hash does not fit the text.')
      process.exitCode = IS_DIFFERENT
      return
    }
    case 'no-receipt':
      return refuse(`${file === '-' ? 'Standard input' : `"${file}"`} is no receipt: ${verification.sentence}`)
  }
}

function describe({ customerId, orderId, lines, devices, hash, ...releases }: VerifiedReceipt): string {
  const { comparedReleases, otherReleases } = releases
  const figures = [
    ...comparedReleases.map((name) => `figures as published in ${name}`),
    ...otherReleases.map((name) => `figures of ${name} as the receipt has them`),
  ]
  const counted = [count(lines, 'line'), count(devices, 'device'), ...figures].join(', ')
  return `equal: order ${JSON.stringify(orderId)} of ${JSON.stringify(customerId)}, ${counted}, hash ${hash}`
}

const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`

/** The datasets that come with the program. Where they are being worked on and not sound, none are at hand. */
function publishedBooks(): readonly FactorBook[] {
  try {
    return [readDatasets(readDatasetFiles(DATA))]
  } catch {
    return []
  }
}

const print = (line: string): void => void process.stdout.write(`${line}\n`)

function refuse(sentence: string): void {
  process.stderr.write(`cradle: ${sentence}\n`)
  process.exitCode = IS_NO_RECEIPT
}
