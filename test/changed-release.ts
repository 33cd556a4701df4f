// A dataset release with other figures than the shipped one: some cells are replaced, and it has a name of its own.
import { loadReferenceData } from '../src/reference-data/load.ts'
import { shippedReferenceData, type ShippedBook } from './shipped-book.ts'

/** A row of a file by its first cell, or its first cells, with the new cells by column. */
export interface ChangedRow {
  readonly file: string
  readonly row: string
  readonly cells: Readonly<Record<string, string>>
}

/**
 * @param replaced whole files of it, by name
 * @throws Error for a row or column that the shipped release does not have
 */
export function changedRelease(
  name: string,
  changes: readonly ChangedRow[],
  replaced: Readonly<Record<string, string>> = {},
): ShippedBook {
  const files = new Map([...shippedReferenceData().files, ...Object.entries(replaced)])
  for (const { file, row, cells } of changes) {
    const lines = files.get(file)!.split('\n')
    const header = lines[0]!.split(',')
    const at = lines.findIndex((line) => line.startsWith(`${row},`))
    if (at < 1) throw new Error(`${file} has no row ${row}`)
    // Quoted cells keep their commas.
    const own = lines[at]!.match(/("([^"]|"")*"|[^,]*)(,|$)/g)!.map((cell) => cell.replace(/,$/, ''))
    for (const [column, value] of Object.entries(cells)) {
      const place = header.indexOf(column)
      if (place < 0) throw new Error(`${file} has no column ${column}`)
      own[place] = value
    }
    lines[at] = own.slice(0, header.length).join(',')
    files.set(file, lines.join('\n'))
  }
  files.set('RELEASE', `${name}\n`)
  return { files, referenceData: loadReferenceData(files) }
}
