// Jobs that share a batch are each answered by their own deadline, whatever the other jobs wait for.
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { setImmediate as turn } from 'node:timers/promises'
import { departures, settle } from '../../test/observed-batches.ts'
import { DeadlineExceeded, currentDeadline, withDeadline } from './deadline.ts'
import { createQueueLoad } from './queue-load.ts'

test('whoever waits longer than until its deadline is answered then, and its neighbours travel on', async () => {
  const waiting = createQueueLoad()
  const { trips, send } = departures({ concurrencyMax: 1, queueLoad: waiting })
  const sendBy = (milliseconds: number, job: string) => withDeadline(performance.now() + milliseconds, () => send(job))
  const early = assert.rejects(sendBy(1_000, 'early'), DeadlineExceeded)
  const patient = sendBy(60_000, 'patient')
  await settle()
  const queued = assert.rejects(sendBy(1_000, 'queued'), DeadlineExceeded)
  const later = send('later')
  await Promise.all([early, queued])
  assert.equal(waiting.weight, 1)
  trips[0]!.arrive()
  assert.equal(await patient, 'PATIENT')
  await settle()
  trips[1]!.arrive()
  assert.equal(await later, 'LATER')
  assert.deepEqual(
    trips.map(({ jobs }) => jobs),
    [['early', 'patient'], ['later']],
  )
})

test('a trip has the latest deadline of its own jobs, whoever set it off', async () => {
  const seen: number[] = []
  const travel = (jobs: readonly string[]) => {
    seen.push(currentDeadline())
    return turn(jobs)
  }
  const { send } = departures({ concurrencyMax: 1, executeBatch: travel })
  const at = performance.now() + 60_000
  const first = [at, at + 1].map((deadline) => withDeadline(deadline, () => send('first')))
  await turn()
  await Promise.all([...first, withDeadline(at + 2, () => send('second')).then(() => send('without'))])
  assert.deepEqual(seen, [at + 1, at + 2, Infinity])
})
