// A file stored in pieces reads like one contiguous file.
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { CHUNK_BYTES, compressChunk, openChunkedFile } from './stored-file.ts'

const file = Buffer.concat([randomBytes(1000), Buffer.alloc(2.5 * CHUNK_BYTES, 'row;'), randomBytes(1000)])

async function packed(): Promise<readonly Buffer[]> {
  const pieces: Buffer[] = []
  for (let at = 0; at < file.length; at += CHUNK_BYTES)
    pieces.push(await compressChunk(file.subarray(at, at + CHUNK_BYTES)))
  return pieces
}

test('any stretch of a file is read as it is, within a piece, across several, and beyond its end', async () => {
  const pieces = await packed()
  const source = openChunkedFile(file.length, (no) => Promise.resolve(pieces[no]!))
  for (const [from, length] of [
    [0, 10],
    [CHUNK_BYTES - 5, 10],
    [CHUNK_BYTES, CHUNK_BYTES],
    [500, 2 * CHUNK_BYTES],
    [file.length - 10, 100],
    [0, file.length],
  ] as const) {
    assert.deepEqual(await source.read(from, length), file.subarray(from, from + length), `${from} ${length}`)
  }
})

test('what was needed of a file by now is told by whole pieces, each once', async () => {
  const pieces = await packed()
  const asked: number[] = []
  const source = openChunkedFile(file.length, (no) => {
    asked.push(no)
    return Promise.resolve(pieces[no]!)
  })
  assert.equal(source.bytesSeen(), 0)
  await source.read(0, 10)
  await source.read(20, 10)
  assert.equal(source.bytesSeen(), CHUNK_BYTES)
  await source.read(file.length - 1, 1)
  await source.read(0, file.length)
  assert.equal(source.bytesSeen(), file.length)
  assert.deepEqual(asked, [0, 2, 1])
})

test('a piece that is shorter than it was is a fault, and no shorter file', async () => {
  const source = openChunkedFile(CHUNK_BYTES, () => compressChunk(Buffer.from('short')))
  await assert.rejects(source.read(0, 10), /shorter/)
})
