// Memory held for slow clients: the total limit, and which connection is cut when it is exceeded.
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { createMemoryBudget } from './memory-budget.ts'

test('beyond the bound the owner of most bytes loses its largest holding, of equal ones the oldest', () => {
  const { hold, held } = createMemoryBudget(100)
  const cut: string[] = []
  const holdAs = (owner: number, bytes: number, name: string) => hold(owner, bytes, () => cut.push(name))
  holdAs(1, 40, 'of one')
  for (const name of ['a', 'b', 'c']) holdAs(2, 20, name)
  assert.deepEqual([held(), cut], [100, []])
  const further = holdAs(2, 1, 'd')
  assert.deepEqual([held(), cut], [81, ['a']])
  further.add(30)
  assert.deepEqual([held(), cut], [80, ['a', 'd']])
  further.add(30)
  further.release()
  assert.equal(held(), 80)
})

test('a single holding is never too large, and what is released makes room', () => {
  const { hold, held } = createMemoryBudget(100)
  const cut: string[] = []
  const first = hold(1, 500, () => cut.push('first'))
  assert.deepEqual([held(), cut], [500, []])
  first.release()
  first.release()
  hold(2, 90, () => cut.push('second'))
  assert.deepEqual([held(), cut], [90, []])
  hold(3, 500, () => cut.push('third'))
  assert.deepEqual([held(), cut], [90, ['third']])
})
