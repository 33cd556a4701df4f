// Tests the rows of CSV files: quotes, line breaks, damage. A faulty row is reported, and the rows after it are read.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readCsv } from './read-csv.ts'
import { RECORD_LENGTH_MAX } from './limits.ts'
import type { Row } from './row.ts'
import type { Encoding } from './settings.ts'

async function rowsOf(text: string | Buffer, encoding: Encoding = 'utf-8'): Promise<readonly Row[]> {
  const bytes = Buffer.from(text)
  const read = (at: number, length: number) => Promise.resolve(bytes.subarray(at, at + length))
  const rows: Row[] = []
  for await (const batch of readCsv({ bytes: bytes.length, read }, encoding, ',')) rows.push(...batch)
  return rows
}

const cellsOf = (rows: readonly Row[]) => rows.map(({ cells }) => cells)
const faultyOf = (rows: readonly Row[]) => rows.filter(({ errors }) => errors.length > 0).map(({ number }) => number)

test('quotes keep delimiters, quotes and line breaks; a row has its number and the line it begins on', async () => {
  const rows = await rowsOf('a,b\r\n"x,""y""","1\n2"\n\nlast,')
  assert.deepEqual(cellsOf(rows), [['a', 'b'], ['x,"y"', '1\n2'], [''], ['last', '']])
  assert.deepEqual(
    rows.map(({ number, line }) => [number, line]),
    [
      [1, 1],
      [2, 2],
      [3, 4],
      [4, 5],
    ],
  )
})

test('a quote that is never closed, or stands inside a cell, is a fault of its row alone', async () => {
  const rows = await rowsOf('a,b\n1,"open\n2,"x"\n3,15" wide\n4,"fine, yes"\n"5,y\n6,z\n')
  assert.deepEqual(faultyOf(rows), [2, 4, 6])
  assert.deepEqual(cellsOf(rows)[4], ['4', 'fine, yes'])
  assert.deepEqual(cellsOf(rows).at(-1), ['6', 'z'])
})

test('faulty quotes are the same errors wherever the pieces of the file end', async () => {
  const block = `${'a,"b, c",d\n'.repeat(500)}x,"never closed,y\n${'plain,row,z\n'.repeat(700)}`
  const rows = await rowsOf(block.repeat(30))
  assert.deepEqual(
    faultyOf(rows),
    Array.from({ length: 30 }, (_, at) => at * 1201 + 501),
  )
  assert.equal(rows.length, 30 * 1201)
  assert.ok(rows.every(({ cells, errors }) => errors.length > 0 || cells.length === 3))
})

test('a row that is too long is a fault, and what follows is read', async () => {
  const rows = await rowsOf(`a,b\n${'x'.repeat(RECORD_LENGTH_MAX + 100_000)}\n1,2\n`)
  assert.deepEqual(faultyOf(rows), [2])
  assert.deepEqual(cellsOf(rows).at(-1), ['1', '2'])
})

test('bytes that are none of the encoding, and NUL bytes, are errors of their cell', async () => {
  const rows = await rowsOf(Buffer.concat([Buffer.from('a,b\nM'), Buffer.of(0xfc), Buffer.from('ller,1\nx,y\nz,\0\n')]))
  assert.deepEqual(faultyOf(rows), [2, 4])
  assert.deepEqual(
    rows.map(({ errors }) => errors[0]?.at),
    [undefined, 0, undefined, 1],
  )
  const old = await rowsOf(Buffer.from('Müller,1\n', 'latin1'), 'windows-1252')
  assert.deepEqual([cellsOf(old), faultyOf(old)], [[['Müller', '1']], []])
})
