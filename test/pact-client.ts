// OAuth clients of the PACT interface: an admin creates them, and they ask for tokens.
import assert from 'node:assert/strict'
import type { AskedService } from './asked-service.ts'
import type { Json } from './document-check.ts'
import { exchange } from './raw-http.ts'

export interface PactClient {
  readonly client_id: string
  readonly client_secret: string
}

export async function createPactClient(service: AskedService, params: Json): Promise<PactClient> {
  const headers = { 'content-type': 'application/json' }
  const sent = { method: 'POST', headers, body: JSON.stringify(params) }
  const { status, text } = await service.ask('/api/pact-clients', sent)
  assert.equal(status, 200, text)
  return JSON.parse(text) as PactClient
}

export const basic = ({ client_id: id, client_secret: secret }: PactClient): string =>
  `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`

/** What PACT describes is not in the OpenAPI document, with which the service's own answers are compared. */
export const askForToken = (
  { server }: Pick<AskedService, 'server'>,
  authorization: string,
  body = 'grant_type=client_credentials',
) =>
  exchange(server.url, '/auth/token', {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/x-www-form-urlencoded' },
    body,
  })

export async function tokenOf(service: Pick<AskedService, 'server'>, client: PactClient): Promise<string> {
  const { status, text } = await askForToken(service, basic(client))
  assert.equal(status, 200, text)
  const { access_token: token, token_type: type } = JSON.parse(text) as Readonly<Record<string, string>>
  assert.equal(type, 'Bearer')
  return token!
}
