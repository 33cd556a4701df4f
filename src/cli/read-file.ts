// A file that a command is to verify, or standard input: read no further than it may be long.
import { createReadStream, statSync } from 'node:fs'

/** Null where it is too large: what tells its size is not read at all, other input no further than that. */
export async function readText(file: string, bytesMax: number): Promise<string | null> {
  if (file !== '-' && statSync(file).size > bytesMax) return null
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of file === '-' ? process.stdin : createReadStream(file)) {
    chunks.push(chunk as Buffer)
    size += (chunk as Buffer).length
    if (size > bytesMax) return null
  }
  return Buffer.concat(chunks).toString('utf8')
}

export const displayName = (file: string): string => (file === '-' ? 'Standard input' : `"${file}"`)
