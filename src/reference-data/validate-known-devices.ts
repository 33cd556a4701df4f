// Rules for devices/known-devices.csv: devices of which no footprint is published, but other facts are.
import { aliasKey } from '../engine/reference/reference-data.ts'
import { rowsOf, type Row, type Tables } from './csv-table.ts'
import type { RowError } from './validate-values.ts'
import type { Violation } from './violations.ts'

const FILE = 'devices/known-devices.csv'

/** The id begins with the brand, and the row says something that its name alone does not. */
export function validateKnownDevice(cells: Row['cells']): RowError[] {
  const { id = '', brand = '', codes, yearly_energy_kwh: energy, weight_kg: weight, screen_inches: screen } = cells
  const key = brand.toLowerCase().replace(/[^a-z0-9]+/g, '-')
  const errors: RowError[] = []
  if (!id.startsWith(`${key}-`)) errors.push(['id-without-brand', `"${id}" does not begin with the brand "${brand}"`])
  if (!codes && !energy && !weight && !screen)
    errors.push(['knows-nothing', 'neither a code nor a figure: a name alone tells no more than its line'])
  return errors
}

/** Ids are those of no model, and a code is of one device of its brand only. */
export function checkKnownDevices(tables: Tables): Violation[] {
  const models = new Set(rowsOf(tables, 'devices/device-models.csv').map(({ cells }) => cells['id']))
  const owners = new Map<string, string>()
  return rowsOf(tables, FILE).flatMap(({ line, cells: { id = '', brand = '', codes = '' } }): Violation[] => {
    const shared = codes.split(' ').filter((code) => {
      const key = `${aliasKey(brand)}\n${aliasKey(code)}`
      const owner = owners.get(key)
      owners.set(key, owner ?? id)
      return code !== '' && owner !== undefined && owner !== id
    })
    return [
      ...(models.has(id)
        ? [{ file: FILE, line, rule: 'known-is-a-model' as const, message: `"${id}" is the id of a model` }]
        : []),
      ...shared.map((code) => ({
        file: FILE,
        line,
        rule: 'code-of-several' as const,
        message: `a row above has the code "${code}" of ${brand}`,
      })),
    ]
  })
}
