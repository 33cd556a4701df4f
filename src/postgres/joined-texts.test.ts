// Texts that travel joined arrive in PostgreSQL as they were, one by one.
import { before, test } from 'node:test'
import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { Pool } from 'pg'
import { freshDatabase } from '../../test/fresh-database.ts'
import { Unstorable, joinMembers, joinRows, splitMembers, splitRows } from './joined-texts.ts'

let pool: Pool
before(async () => void (pool = (await freshDatabase()).pool))

const text = fc.string({ unit: 'grapheme', maxLength: 20 }).filter((value) => !/[\0\u001e\u001f]/.test(value))

test('any texts without control characters arrive as they were', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(text, { minLength: 2, maxLength: 20 }), async (texts) => {
      const { rows } = await pool.query<{ sent: string[] }>(`select ${splitRows('$1')} as sent`, [joinRows(texts)])
      assert.deepEqual(rows[0]!.sent, texts)
    }),
  )
})

test('members arrive as they were; none at all arrive as none', async () => {
  for (const members of [['a'], ['a', ''], ['{', '"', '\\', 'NULL', '😀']]) {
    const { rows } = await pool.query<{ sent: string[] }>(`select ${splitMembers('$1')} as sent`, [
      joinMembers(members),
    ])
    assert.deepEqual(rows[0]!.sent, members)
  }
  for (const empty of ['', null]) {
    const { rows } = await pool.query<{ sent: string[] }>(`select ${splitMembers('$1')} as sent`, [empty])
    assert.deepEqual(rows[0]!.sent, [])
  }
})

test('a text that holds the separator is refused before it shifts its neighbours', () => {
  assert.throws(() => joinRows(['a', 'b\u001ec']), Unstorable)
})
