// The request queue: which requests are answered or rejected, and which are skipped because their client has left.
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises'
import { createRequestQueue } from './request-queue.ts'

/** This many requests may wait, however long each takes. */
const FEW = 300
const MANY = 1_000
/** Number of requests that the first turn answers. */
const AT_ONCE = 16
/** More than that. */
const SEVERAL = 20
/** Longer than a complete turn may take. */
const LONG_MS = 60

function openLine() {
  const told = { answered: 0, refused: 0, passedOver: 0, busyMs: 0 }
  const line = createRequestQueue({
    answer: () => {
      told.answered += 1
      for (const until = performance.now() + told.busyMs; performance.now() < until;);
    },
    refuse: () => (told.refused += 1),
    passOver: () => (told.passedOver += 1),
  })
  const isOver = (joined: number) => told.answered + told.refused + told.passedOver === joined
  /** Joins all requests in one turn of the event loop, with counters reset. */
  const join = async (count: number, busyMs: number, sockets = () => new Socket()) => {
    Object.assign(told, { answered: 0, refused: 0, passedOver: 0, busyMs })
    for (let joined = 0; joined < count; joined += 1) {
      const request = new IncomingMessage(sockets())
      if (line.isLong()) told.refused += 1
      else line.join(request, new ServerResponse(request))
    }
    while (!isOver(count)) await turn()
    return { ...told }
  }
  return { join, told }
}

test('of many that take long, as many as may wait are served, whatever those before them took', async () => {
  const { join } = openLine()
  for (const before of [0, FEW]) {
    if (before > 0) assert.equal((await join(before, 0)).answered, before)
    const { answered, refused } = await join(MANY, 0.2)
    assert.ok(answered >= FEW && answered < MANY / 2, `${answered} answered`)
    assert.equal(answered + refused, MANY)
  }
})

test('one that took long is no reason to refuse those who come when it is over', async () => {
  const { join } = openLine()
  assert.equal((await join(SEVERAL, LONG_MS / SEVERAL)).refused, 0)
  await sleep(1)
  // As many as may wait when the first of them are answered.
  assert.equal((await join(FEW + AT_ONCE, 0)).refused, 0)
})

test('few are served, however long each takes', async () => {
  assert.equal((await openLine().join(FEW, 1)).answered, FEW)
})

test('of a request whose client has left nothing is done, and it is told', async () => {
  const { passedOver, answered } = await openLine().join(SEVERAL, 0, () => new Socket().destroy())
  assert.deepEqual({ passedOver, answered }, { passedOver: SEVERAL, answered: 0 })
})
