// The OpenAPI document takes no memory until a client asks for it.
import { test } from 'node:test'
import assert from 'node:assert/strict'
import Fastify from 'fastify'
import { registerApiReference } from './api-reference.ts'
import { negotiateContent } from './content-negotiation.ts'

test('the OpenAPI document is made at the first request for it, and only once', async () => {
  const app = Fastify()
  await negotiateContent(app)
  let made = 0
  registerApiReference(app, () => ({ openapi: '3.1.0', made: (made += 1) }))
  await app.ready()
  assert.equal(made, 0)
  const answers = await Promise.all(['/openapi.json', '/docs/json', '/openapi.json'].map((path) => app.inject(path)))
  assert.deepEqual(
    answers.map((answer) => answer.json<unknown>()),
    Array(3).fill({ openapi: '3.1.0', made: 1 }),
  )
  await app.close()
})
