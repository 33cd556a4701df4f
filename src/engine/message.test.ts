// Messages: the English sentence has the values that its code and params carry.
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { defineMessages, inSentence } from './message.ts'

const MESSAGES = defineMessages({
  missing: 'Is missing',
  unknown_member: 'Is not known here; known members are {names}',
  wrong_value: '{expected}; it is {sent}',
  expected_number: 'Must be a number from {min} to {max}',
  missing_value: 'Is missing: it {expected}',
  in_two_parts: ['Row {row} of the ', 'file "{name}"'],
})

test('a message carries its code and values beside its sentence', () => {
  assert.deepEqual(MESSAGES.missing(), { message: 'Is missing', code: 'missing', params: {} })
  assert.deepEqual(MESSAGES.unknown_member({ names: ['a', 'b'] }), {
    message: 'Is not known here; known members are a, b',
    code: 'unknown_member',
    params: { names: ['a', 'b'] },
  })
})

test('a template in several parts is one sentence with the values of all of them', () => {
  const { message, params } = MESSAGES.in_two_parts({ row: 7, name: 'a.csv' })
  assert.deepEqual([message, params], ['Row 7 of the file "a.csv"', { row: 7, name: 'a.csv' }])
  // @ts-expect-error The compiler asks for the values of each part.
  MESSAGES.in_two_parts({ row: 7 })
})

test('a message stands within another, whatever characters its values have', () => {
  const expected = MESSAGES.expected_number({ min: 0, max: 1.5 })
  const { message, params } = MESSAGES.wrong_value({ expected, sent: '"{expected} $& $1"' })
  assert.equal(message, 'Must be a number from 0 to 1.5; it is "{expected} $& $1"')
  assert.equal(params['expected'], expected)
  const continued = inSentence(expected)
  assert.equal(MESSAGES.missing_value({ expected: continued }).message, 'Is missing: it must be a number from 0 to 1.5')
  assert.deepEqual([continued.code, continued.params], [expected.code, expected.params])
})
