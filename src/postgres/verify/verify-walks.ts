// Walks through a table: a cursor's pages, asked for while the one before is worked on.
import type pg from 'pg'

/** Asks for the next while the one before is worked on. */
export async function* prefetch<Value>(source: AsyncGenerator<Value>): AsyncGenerator<Value> {
  const ask = () => {
    const asked = source.next()
    // It is awaited in its turn; until then its failure is nobody's.
    asked.catch(() => undefined)
    return asked
  }
  for (let asked = ask(); ;) {
    const next = await asked
    if (next.done) return
    asked = ask()
    yield next.value
  }
}

/** A query's rows, each an array of its columns, in pages that are never empty. One walk at a time of a connection. */
export async function* scanTable<Row extends readonly unknown[]>(
  client: pg.Client,
  text: string,
  rowsPerPage: number,
): AsyncGenerator<readonly Row[]> {
  await client.query(`declare walk no scroll cursor for ${text}`)
  for (;;) {
    const { rows } = await client.query<unknown[]>({ text: `fetch ${rowsPerPage} from walk`, rowMode: 'array' })
    if (rows.length > 0) yield rows as unknown as Row[]
    if (rows.length < rowsPerPage) break
  }
  await client.query('close walk')
}

/** Pages cut where their weight gets too much; a single row may be heavier. */
export async function* pagesByBytes<Row>(
  pages: AsyncGenerator<readonly Row[]>,
  weightOf: (row: Row) => number,
  weightMax: number,
): AsyncGenerator<readonly Row[]> {
  for await (const page of pages) {
    let light: Row[] = []
    let weight = 0
    for (const row of page) {
      if (light.length > 0 && weight + weightOf(row) > weightMax) {
        yield light
        light = []
        weight = 0
      }
      light.push(row)
      weight += weightOf(row)
    }
    yield light
  }
}

/** Rows that stand together because their keys are the same, whole even where a page ends among them. */
export async function* groupAdjacent<Row>(
  pages: AsyncGenerator<readonly Row[]>,
  areOfOne: (a: Row, b: Row) => boolean,
): AsyncGenerator<readonly (readonly Row[])[]> {
  let open: Row[] = []
  for await (const page of pages) {
    const groups: (readonly Row[])[] = []
    for (const row of page) {
      if (open.length > 0 && !areOfOne(open[0]!, row)) {
        groups.push(open)
        open = []
      }
      open.push(row)
    }
    if (groups.length > 0) yield groups
  }
  if (open.length > 0) yield [open]
}
