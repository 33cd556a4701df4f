// Jobs between processes: what an error carries arrives with it.
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { ApiError } from '../contract/errors.ts'
import { defineMessages } from '../engine/message.ts'
import { answerJobs, askJobs, type JobAnswer } from './jobs.ts'

const { too_slow } = defineMessages({ too_slow: 'Took longer than {seconds} s' })

test('an error arrives with the code and the values of its message', async () => {
  const asking = askJobs<string, string>(
    (message) => queueMicrotask(() => answering.receive(structuredClone(message))),
    (_, { name, reason }) => (name === 'ApiError' && reason ? new ApiError('unavailable', reason) : new Error(name)),
  )
  const answering = answerJobs<string, string>(
    async function* (job) {
      const slow = new ApiError('unavailable', too_slow({ seconds: 3 }))
      yield await Promise.reject(job === 'slow' ? slow : new TypeError())
    },
    (answer: JobAnswer<string>) => asking.receive(structuredClone(answer)),
  )
  const run = (job: string) => asking.ask(job, new AbortController().signal).next()
  await assert.rejects(run('slow'), { name: 'ApiError', reason: too_slow({ seconds: 3 }) })
  await assert.rejects(run('other'), { message: 'TypeError' })
})
