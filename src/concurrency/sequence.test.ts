// Work that shares a key runs one after the other; other work does not wait.
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { createSequence } from './sequence.ts'

/** Work that notes when it starts, and ends when it is told. */
function createWork() {
  const started: string[] = []
  const ends = new Map<string, (error?: Error) => void>()
  const work = (name: string) => () => {
    started.push(name)
    return new Promise<string>((resolve, reject) => ends.set(name, (error) => (error ? reject(error) : resolve(name))))
  }
  return { started, work, end: (name: string, error?: Error) => ends.get(name)!(error) }
}

const settle = () => new Promise(setImmediate)

test('work with a common key waits for all earlier work with that key, other work does not', async () => {
  const [inSequence, { started, work, end }] = [createSequence<string>(), createWork()]
  const all = [
    inSequence(['x'], work('a')),
    inSequence(['y'], work('b')),
    inSequence(['x', 'y'], work('c')),
    inSequence(['y'], work('d')),
    inSequence([], work('e')),
  ]
  await settle()
  assert.deepEqual(started, ['a', 'b', 'e'])
  end('b')
  await settle()
  assert.deepEqual(started, ['a', 'b', 'e'])
  end('a')
  await settle()
  assert.deepEqual(started, ['a', 'b', 'e', 'c'])
  end('c')
  await settle()
  for (const name of ['d', 'e']) end(name)
  assert.deepEqual(await Promise.all(all), ['a', 'b', 'c', 'd', 'e'])
})

test('work is not started after earlier work with a common key has failed', async () => {
  const [inSequence, { started, work, end }] = [createSequence<string>(), createWork()]
  const all = [inSequence(['x'], work('a')), inSequence(['x'], work('b')), inSequence(['y'], work('c'))]
  end('a', new Error('no database'))
  end('c')
  const results = await Promise.allSettled(all)
  assert.deepEqual(
    results.map(({ status }) => status),
    ['rejected', 'rejected', 'fulfilled'],
  )
  assert.deepEqual(started, ['a', 'c'])
})
