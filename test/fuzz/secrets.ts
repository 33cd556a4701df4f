// Whether what the program wrote or answered holds what it must not: keys, and the password of its database.
import type { Readable } from 'node:stream'
import type { Subject } from './subject.ts'

/** Requests bear keys in headers alone, so that whatever looks like one is one. */
const KEY = /cradle_[0-9A-Za-z]{38}/
const LENGTH_MAX = 100

export const showsSecret = (text: string, password: string): boolean => KEY.test(text) || text.includes(password)

/** The logs of program and database, the metrics and a backup: of each that shows a secret, a sentence. */
export async function secretsWritten({ password, written }: Subject): Promise<readonly string[]> {
  const found: string[] = []
  for (const [name, stream] of Object.entries(await written()))
    if (await holdsSecret(stream, password)) found.push(`A secret stands in the ${name}`)
  return found
}

async function holdsSecret(stream: Readable, password: string): Promise<boolean> {
  let rest = ''
  for await (const chunk of stream) {
    const text = rest + (chunk as Buffer).toString('latin1')
    if (showsSecret(text, password)) return true
    rest = text.slice(-LENGTH_MAX)
  }
  return false
}
