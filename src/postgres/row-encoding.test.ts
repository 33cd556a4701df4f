// Tests that texts joined into one parameter arrive in PostgreSQL unchanged and separate.
import { before, test } from 'node:test'
import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { Pool } from 'pg'
import { freshDatabase } from '../../test/fresh-database.ts'
import { UnencodableText, encodeList, encodeTextColumn, decodeList, decodeTextColumnSql } from './row-encoding.ts'

let pool: Pool
before(async () => void (pool = (await freshDatabase()).pool))

const text = fc.string({ unit: 'grapheme', maxLength: 20 }).filter((value) => !/[\0\u001e\u001f]/.test(value))

test('any texts without control characters arrive as they were', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(text, { minLength: 2, maxLength: 20 }), async (texts) => {
      const { rows } = await pool.query<{ sent: string[] }>(`select ${decodeTextColumnSql('$1')} as sent`, [
        encodeTextColumn(texts),
      ])
      assert.deepEqual(rows[0]!.sent, texts)
    }),
  )
})

test('members come back as they were; none at all come back as none', () => {
  for (const members of [[], ['a'], ['a', 'b'], ['{', '"', '\\', 'NULL', '😀']]) {
    assert.deepEqual(decodeList(encodeList(members)), members)
  }
})

test('a text that holds the separator is refused before it shifts its neighbours', () => {
  assert.throws(() => encodeTextColumn(['a', 'b\u001ec']), UnencodableText)
})
