// Stored items decode to the original: every member has a letter of its own.
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { PackagingConfig, ProductConfig, TransportationConfig } from '../contract/order-schema.ts'
import { decodeItem, encodeItem } from './codec.ts'

for (const schema of [ProductConfig, TransportationConfig, PackagingConfig]) {
  test(`every member of ${schema.$id} comes back under its name, with its value, in its place`, () => {
    const config = Object.fromEntries(Object.keys(schema.properties).map((name, at) => [name, `${name} ${at}`]))
    assert.deepEqual(Object.entries(decodeItem(encodeItem(config as never))), Object.entries(config))
  })
}
