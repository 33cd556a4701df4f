// A file on its way in: whatever keeps it from being taken is answered, while the sender is still sending.
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import { beginUpload } from './begin-upload.ts'
import { until } from './command.ts'
import { startService, type Service } from './service.ts'

let service: Service
before(async () => {
  service = await startService()
})
after(() => service.stop())

const beginSending = (query = '') => beginUpload(service.server.url, service.key, { query })

const countPieces = async (): Promise<number> =>
  Number((await service.pool.query<{ readonly count: bigint }>('select count(*) from import_chunks')).rows[0]!.count)

test('a file that is too large is refused before it is sent, and a wrong method whatever is sent', async () => {
  const headers = { 'content-type': 'text/csv', 'content-length': String(2 ** 30 + 1) }
  const sent = await service.ask('/api/imports', { method: 'POST', headers })
  assert.equal(sent.status, 413)
  assert.match(sent.text, /1 GiB/)
  const wrong = await service.ask('/api/imports', {
    method: 'PUT',
    headers: { 'content-type': 'text/strange' },
    body: 'x',
  })
  assert.equal(wrong.status, 405)
})

test('a file that is given up on its way is told why, and leaves nothing behind', async () => {
  const { sending, answered } = beginSending()
  const rows = Buffer.alloc(2 ** 20, 'x,y\n')
  sending.write(rows)
  sending.write(rows)
  await until(
    async () => (await countPieces()) === 2,
    () => 'its two pieces are not stored',
  )
  await service.pool.query(`update imports set lease_until = '-infinity' where state = 'uploading'`)
  await until(
    async () => (await countPieces()) === 0,
    () => 'it is not swept away',
  )
  for (let more = 0; more < 3; more += 1) sending.write(rows)
  const { status, text: body } = await answered
  assert.equal(status, 400)
  assert.match(body, /stopped because it was too slow/)
  assert.equal(await countPieces(), 0)
  sending.destroy()
})

test('what is wrong beside the file is answered before the file has come in', async () => {
  const { sending, answered } = beginSending('?decimal=dot')
  sending.write(Buffer.alloc(2 ** 20, 'x,y\n'))
  const { status, text: body } = await answered
  assert.equal(status, 400)
  assert.match(body, /Must be one of point, comma/)
  sending.destroy()
})

test('a sender that goes away in the middle of a file leaves nothing of it', async () => {
  const { sending, answered } = beginSending()
  sending.write(Buffer.alloc(2 ** 21, 'x,y\n'))
  await until(
    async () => (await countPieces()) === 2,
    () => 'its two pieces are not stored',
  )
  sending.destroy()
  await assert.rejects(answered)
  await until(
    async () => (await countPieces()) === 0,
    () => 'the pieces are still there',
  )
})
