// A service that has a process beside it at work, tells its number, and goes on until it is killed.
import { join } from 'node:path'
import { createJobWorker } from '../src/workers/job-worker.ts'
import type { Job } from './worker-jobs.ts'

const aside = createJobWorker<string, Job, number>({
  what: 'a test',
  program: join(import.meta.dirname, 'worker-jobs.ts'),
  settings: '',
  heapMbMax: 100,
  report: (error) => {
    throw error
  },
})
const { signal } = new AbortController()
const pid = await aside.ask('pid', signal).next()
const waiting = aside.ask((process.argv[2] ?? 'wait') as Job, signal).next()
process.stdout.write(`${pid.value}`)
await waiting
