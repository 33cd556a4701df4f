// What every release leaves behind, kept by scripts/keep-release.ts: a backup of a database with data, and its answers.
import { createReadStream, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createGunzip } from 'node:zlib'
import { decodeFrames, type Frame } from '../src/postgres/backup/format.ts'

export const RELEASES = join(import.meta.dirname, 'fixtures', 'releases')

export interface KeptAnswer {
  readonly account: string
  readonly order: object
  /** Byte by byte, as it was answered. */
  readonly answer: string
}

/** Their versions. */
export const keptReleases = (): readonly string[] =>
  globSync('*.backup', { cwd: RELEASES })
    .map((file) => file.replace('.backup', ''))
    .sort()

export const framesOf = (version: string): AsyncIterable<Frame> =>
  decodeFrames(createReadStream(join(RELEASES, `${version}.backup`)).pipe(createGunzip()) as AsyncIterable<Buffer>)

export const answersOf = (version: string): readonly KeptAnswer[] =>
  JSON.parse(readFileSync(join(RELEASES, `${version}.json`), 'utf8')) as readonly KeptAnswer[]
