// Transient errors do not fill the disk with log lines, and other errors are always logged.
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { keepLog } from '../../test/captured-log.ts'
import { logError } from './logging.ts'

const MANY = 500
const LINES_MAX = 20

test('of very many alike that pass by themselves some are written, and the next tells how many not', async () => {
  const { logger, lines } = keepLog('warn')
  const startedAt = performance.now()
  for (let sent = 0; sent < MANY; sent += 1) logError(logger, new Error('The database is away'), 'unavailable')
  const seconds = Math.ceil((performance.now() - startedAt) / 1000)
  assert.ok(lines.length >= LINES_MAX && lines.length <= LINES_MAX * seconds, `${lines.length} lines`)
  await sleep(1_000)
  logError(logger, new Error('The database is away'), 'unavailable')
  const told = lines.reduce((sum, line) => sum + Number(line['left_out'] ?? 0), 0)
  assert.equal(told + lines.length, MANY + 1)
})

test('every fault is written', () => {
  const { logger, lines } = keepLog('warn')
  for (let sent = 0; sent < MANY; sent += 1) logError(logger, new Error('A fault of ours'), 'internal')
  assert.equal(lines.length, MANY)
})
