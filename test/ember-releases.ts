// Two releases that differ only in the published grid intensities of one year: cases/releases/ember-2022.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DatasetFiles } from '../src/reference-data/files.ts'
import { shippedReferenceData } from './shipped-book.ts'

const CASE = join(import.meta.dirname, '..', 'cases', 'releases', 'ember-2022')

/** The figures as they stood on the third day of the month that the number names. */
export function emberRelease(version: '2024.01' | '2024.02'): DatasetFiles {
  const { files } = shippedReferenceData()
  const [, source] = readFileSync(join(CASE, 'sources.csv'), 'utf8').trimEnd().split('\n')
  return new Map(files)
    .set('RELEASE', `${version}\n`)
    .set('grid-factors.csv', readFileSync(join(CASE, `${version.replace('.', '-')}.csv`), 'utf8'))
    .set('sources.csv', `${files.get('sources.csv')!.trimEnd()}\n${source}\n`)
}
