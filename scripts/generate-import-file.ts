// A file of orders in memory, with what was planted into it.
import { parse } from 'csv-parse/sync'
import { writeFile, type ImportFile } from './write-import-file.ts'

export interface Planted {
  readonly row: number
  /** Null for a row that cannot be read as cells. */
  readonly column: string | null
  readonly kind: string
}

export interface PlantedFile {
  readonly file: Buffer
  readonly rows: number
  readonly planted: readonly Planted[]
}

export async function plantedFile(wanted: ImportFile): Promise<PlantedFile> {
  const [file, list]: [Buffer[], Buffer[]] = [[], []]
  const into = (parts: Buffer[]) => (bytes: Buffer) => Promise.resolve(void parts.push(bytes))
  const { rows } = await writeFile(wanted, into(file), into(list))
  const listed: Record<string, string>[] = parse(Buffer.concat(list), { columns: true })
  const planted = listed.map(({ row, column, kind }) => ({ row: Number(row), column: column || null, kind: kind! }))
  return { file: Buffer.concat(file), rows, planted }
}

/** Where a fault is, in words that can be compared. */
export const placeOf = ({ row, column }: { readonly row: unknown; readonly column: unknown }): string =>
  JSON.stringify([row, column])
