// The columns of files and the members of POST's body are the same, though their folders do not know of each other.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OrderParams, PackagingConfig, ProductConfig, TransportationConfig } from '../src/contract/order-schema.ts'
import { ITEM_MEMBERS, ORDER_MEMBERS, type Member } from '../src/spreadsheets/columns.ts'

interface Schema {
  readonly required?: readonly string[]
  readonly properties: Readonly<Record<string, { readonly type?: string; readonly format?: string }>>
}

/** What a schema says of each member that a cell can hold. */
const ofSchema = ({ properties, required = [] }: Schema) =>
  Object.entries(properties)
    .filter(([, { type }]) => type !== 'object' && type !== 'array')
    .map(([name, { type, format }]) => {
      const reads = format === 'date' ? 'date' : type === 'number' || type === 'integer' ? 'number' : 'text'
      return { name, reads, isNeeded: required.includes(name) }
    })

const ofTable = (members: readonly Member[]) => members.map(({ name, reads, isNeeded }) => ({ name, reads, isNeeded }))
const byName = <Value extends { readonly name: string }>(values: readonly Value[]) =>
  [...values].sort((a, b) => (a.name < b.name ? -1 : 1))

test('the columns of files are the members that POST takes, needed where those are required', () => {
  const pairs: readonly (readonly [readonly Member[], Schema])[] = [
    [ORDER_MEMBERS, OrderParams as unknown as Schema],
    [ITEM_MEMBERS.product, ProductConfig as unknown as Schema],
    [ITEM_MEMBERS.transportation, TransportationConfig as unknown as Schema],
    [ITEM_MEMBERS.packaging, PackagingConfig],
  ]
  for (const [table, schema] of pairs) assert.deepEqual(byName(ofTable(table)), byName(ofSchema(schema)))
})
