// Who waits for footprints to be published, and how often they are computed.
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { DeadlineExceeded, withDeadline } from '../concurrency/deadline.ts'
import { createPublisher, type FootprintSources } from './publish-footprints.ts'

test('a run goes on when its request has waited long enough, and the next request finds it', async () => {
  const ready = Promise.withResolvers<boolean>()
  let runs = 0
  const isApplying = () => {
    runs += 1
    return ready.promise
  }
  // While a restatement is posted, nothing else is read.
  const publish = createPublisher(
    { restatements: { isApplying } } as unknown as FootprintSources,
    'https://example.com',
  )
  const client = { accountId: 1, customerId: 'lessee', account: 'acme' }
  await assert.rejects(
    withDeadline(performance.now(), () => publish(client)),
    DeadlineExceeded,
  )
  const next = publish(client)
  ready.resolve(true)
  assert.deepEqual(await next, [])
  assert.equal(runs, 1)
  // It is over, and quick: the next one computes again.
  await publish(client)
  assert.equal(runs, 2)
})
