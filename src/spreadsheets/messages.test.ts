// Values in messages.
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { shownValue } from './messages.ts'

test('a value in a message is short and shows control characters', () => {
  assert.equal(shownValue('a\tb\0\x1b[31m\x7f'), 'a␉b␀␛[31m␡')
  assert.equal(shownValue('x'.repeat(1000)), `${'x'.repeat(60)}…`)
})
