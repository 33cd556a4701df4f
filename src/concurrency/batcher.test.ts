// Batching guarantees: jobs share batches, load is bounded, and a job does not harm the others in its batch.
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { setImmediate as turn } from 'node:timers/promises'
import { BadJob, departures, settle } from '../../test/observed-batches.ts'
import { QueueFull } from './batcher.ts'
import { createQueueLoad } from './queue-load.ts'

test('jobs that arrive together share one trip, and each gets its own result', async () => {
  const { trips, send } = departures()
  const results = Promise.all(['a', 'b', 'c'].map(send))
  await settle()
  assert.deepEqual(
    trips.map(({ jobs }) => jobs),
    [['a', 'b', 'c']],
  )
  trips[0]!.arrive()
  assert.deepEqual(await results, ['A', 'B', 'C'])
})

test('what arrives while all trips are under way goes together into the next', async () => {
  const { trips, send } = departures()
  const results: Promise<string>[] = []
  for (const job of ['a', 'b', 'c', 'd', 'e']) {
    results.push(send(job))
    await settle()
  }
  assert.deepEqual(
    trips.map(({ jobs }) => jobs),
    [['a'], ['b']],
  )
  trips[0]!.arrive()
  await settle()
  assert.deepEqual(
    trips.map(({ jobs }) => jobs),
    [['a'], ['b'], ['c', 'd', 'e']],
  )
  for (const { arrive } of trips) arrive()
  assert.deepEqual(await Promise.all(results), ['A', 'B', 'C', 'D', 'E'])
})

test('copies travel together where they may, and wait for one that is under way', async () => {
  const keysOf = (job: string) => [job[0]!, 'the same device for all']
  const alone = departures({ keysOf })
  const together = departures({ keysOf, takesCopies: true })
  const jobsOf = ({ trips }: typeof alone) => trips.map(({ jobs }) => jobs)
  const results = [alone, together].map(({ send }) => Promise.all(['a1', 'b1', 'a2', 'b2', 'a3'].map(send)))
  await settle()
  assert.deepEqual(jobsOf(alone), [['a1']])
  assert.deepEqual(jobsOf(together), [['a1', 'a2', 'a3']])
  results.push(Promise.all([together.send('a4')]))
  await settle()
  assert.deepEqual(jobsOf(together), [['a1', 'a2', 'a3']])
  for (let batch = 0; batch < 5; batch += 1) {
    for (const { trips } of [alone, together]) trips[batch]?.arrive()
    await settle()
  }
  assert.deepEqual(jobsOf(alone), [['a1'], ['b1'], ['a2'], ['b2'], ['a3']])
  assert.deepEqual(jobsOf(together), [['a1', 'a2', 'a3'], ['b1', 'b2'], ['a4']])
  assert.deepEqual((await Promise.all(results)).flat().length, 11)
})

test('under any load at most concurrencyMax are under way, none carries too much, and all are answered', async () => {
  let inFlight = 0
  let most = 0
  const { send } = departures({
    queueBytesMax: 10_000,
    executeBatch: async (jobs) => {
      inFlight += 1
      most = Math.max(most, inFlight)
      assert.ok(jobs.length <= 10)
      for (let turns = jobs.length % 3; turns >= 0; turns -= 1) await turn()
      inFlight -= 1
      return jobs.map((job) => job.toUpperCase())
    },
  })
  const jobs = Array.from({ length: 2_000 }, (_, at) => `job ${at}`)
  assert.deepEqual(
    await Promise.all(jobs.map(send)),
    jobs.map((job) => job.toUpperCase()),
  )
  assert.equal(most, 2)
})

test('two jobs of one key never travel at the same time, and go in the sequence of their arrival', async () => {
  const { trips, send } = departures({ keysOf: (job) => [job[0]!] })
  const results = Promise.all(['a1', 'a2', 'b1', 'a3', 'c1'].map(send))
  await settle()
  assert.deepEqual(
    trips.map(({ jobs }) => jobs),
    [['a1', 'b1', 'c1']],
  )
  trips[0]!.arrive()
  await settle()
  assert.deepEqual(trips[1]!.jobs, ['a2'])
  trips[1]!.arrive()
  await settle()
  assert.deepEqual(trips[2]!.jobs, ['a3'])
  trips[2]!.arrive()
  assert.deepEqual(await results, ['A1', 'A2', 'B1', 'A3', 'C1'])
})

test('a job of two keys waits for both, and whoever shares one with it waits behind it', async () => {
  const { trips, send } = departures({ keysOf: (job) => [...job] })
  const results = Promise.all(['a', 'ab', 'bc', 'c', 'd'].map(send))
  const expected = [['a', 'd'], ['ab'], ['bc'], ['c']]
  for (const [at, jobs] of expected.entries()) {
    await settle()
    assert.deepEqual(trips[at]?.jobs, jobs)
    trips[at].arrive()
  }
  assert.deepEqual(await results, ['A', 'AB', 'BC', 'C', 'D'])
})

test('a bad job fails alone: its neighbours are done without it', async () => {
  const { send } = departures({
    executeBatch: (jobs) =>
      jobs.includes('bad') ? Promise.reject(new BadJob()) : Promise.resolve(jobs.map((job) => job.toUpperCase())),
  })
  const results = await Promise.allSettled(['a', 'bad', 'b', 'bad', 'c'].map(send))
  assert.deepEqual(
    results.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled', 'rejected', 'fulfilled'],
  )
  assert.equal(await send('later'), 'LATER')
})

test('a database that cannot be asked fails all that were on the trip, and a later job works', async () => {
  const { trips, send } = departures()
  const failed = Promise.allSettled(['a', 'b'].map(send))
  await settle()
  trips[0]!.fail(new Error('Connection terminated'))
  assert.deepEqual(
    (await failed).map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  const later = send('c')
  await settle()
  assert.deepEqual(
    trips.map(({ jobs }) => jobs),
    [['a', 'b'], ['c']],
  )
  trips[1]!.arrive()
  assert.equal(await later, 'C')
})

test('beyond queueBytesMax a job is refused at once, and those that wait are done', async () => {
  const { trips, send } = departures({ concurrencyMax: 1, batchBytesMax: 3, queueBytesMax: 3 })
  const waiting = Promise.all(['a', 'b', 'c'].map(send))
  await assert.rejects(send('d'), QueueFull)
  await settle()
  const more = Promise.all(['e', 'f', 'g'].map(send))
  await assert.rejects(send('h'), QueueFull)
  trips[0]!.arrive()
  await settle()
  trips[1]!.arrive()
  assert.deepEqual(
    [await waiting, await more],
    [
      ['A', 'B', 'C'],
      ['E', 'F', 'G'],
    ],
  )
})

test('a heavy job travels alone, and no light one makes it wait for ever', async () => {
  const { trips, send } = departures({
    concurrencyMax: 1,
    bytesOf: (job) => (job.startsWith('heavy') ? 100 : 4),
    queueBytesMax: 1000,
  })
  const answers = Promise.all(['a', 'heavy', 'b', 'c'].map(send))
  await settle()
  for (let batch = 0; batch < 3; batch += 1) {
    trips[batch]!.arrive()
    await settle()
  }
  assert.deepEqual(
    trips.map(({ jobs }) => jobs),
    [['a', 'b'], ['heavy'], ['c']],
  )
  assert.deepEqual(await answers, ['A', 'HEAVY', 'B', 'C'])
})

test('queues that share what waits refuse together', async () => {
  const waiting = createQueueLoad()
  const first = departures({ concurrencyMax: 1, batchBytesMax: 1, queueBytesMax: 3, queueLoad: waiting })
  const second = departures({ concurrencyMax: 1, batchBytesMax: 1, queueBytesMax: 3, queueLoad: waiting })
  const accepted = ['a', 'b', 'c'].map((job) => first.send(job))
  const alsoAccepted = second.send('d')
  await assert.rejects(second.send('e'), QueueFull)
  for (const { trips, count } of [
    { trips: first.trips, count: 3 },
    { trips: second.trips, count: 1 },
  ]) {
    for (let batch = 0; batch < count; batch += 1) {
      while (trips.length <= batch) await new Promise(setImmediate)
      trips[batch]!.arrive()
    }
  }
  assert.deepEqual(await Promise.all([...accepted, alsoAccepted]), ['A', 'B', 'C', 'D'])
  assert.equal(waiting.weight, 0)
})
