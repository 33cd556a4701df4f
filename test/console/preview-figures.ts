// The exact numbers in the tables of a preview of what changes.
import type { Locator } from 'playwright-core'

/** Of each row of a table, as shown in its columns. */
export async function figuresOf(preview: Locator, table: string): Promise<readonly (readonly number[])[]> {
  const rows = await preview.getByRole('table', { name: table }).locator('tbody tr').all()
  return Promise.all(rows.map(figuresIn))
}

/** Of one row, by a name in it. */
export const figuresOfRow = (preview: Locator, table: string, row: string): Promise<readonly number[]> =>
  figuresIn(preview.getByRole('table', { name: table }).getByRole('row', { name: row }))

async function figuresIn(row: Locator): Promise<readonly number[]> {
  const figures = await row.locator('.figure').all()
  const names = await Promise.all(figures.map((one) => one.getAttribute('aria-label')))
  return names.map((name) => Number(/exactly ([−\d,.]+) /.exec(name!)![1]!.replaceAll(',', '').replace('−', '-')))
}

/** In kg, to the milligram. */
export const sumOf = (values: readonly number[]): number =>
  Math.round(values.reduce((sum, one) => sum + one, 0) * 1e6) / 1e6
