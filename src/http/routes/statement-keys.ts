// GET /api/statement-key and …/jwks: the public key with which the account signs its statements and receipts.
import type { FastifyRequest } from 'fastify'
import type { StatementKey } from '../../postgres/statement-keys.ts'
import { schemaRef } from '../../contract/named-schema.ts'
import { jwkOf, privateKeyOf, signingKeyOf } from '../../documents/signature.ts'
import { callerOf } from '../plugins/authentication.ts'
import { parseQuery } from '../parameters.ts'
import type { RouteDefinition } from '../route-definition.ts'
import type { StatementExamples } from '../schemas/examples.ts'
import { JwkSet, StatementKeyAnswer } from '../schemas/statement.ts'
import { MAKES_KEY } from './statements.ts'

export interface StatementKeysContext {
  readonly statementKeyOf: (accountId: number) => Promise<StatementKey>
  readonly examples: Pick<StatementExamples, 'key' | 'keySet'>
}

export const statementKeyOperations = ({ statementKeyOf, examples }: StatementKeysContext) => {
  const keyFor = (request: FastifyRequest): Promise<StatementKey> => {
    parseQuery(request.query, {})
    return statementKeyOf(callerOf(request).accountId)
  }
  return [
    {
      id: 'getStatementKey',
      method: 'GET',
      path: '/api/statement-key',
      summary: 'Get the public key for statements and receipts',
      description:
        'Returns the public key of the account. Send its fingerprint to those who verify statements, receipts or ' +
        'passports, over another channel than the documents themselves.',
      tag: 'Reports',
      scope: 'orders:read',
      query: {},
      answer: { description: 'The key.', schema: schemaRef(StatementKeyAnswer), example: examples.key },
      failures: ['invalid_request', ...MAKES_KEY],
      handle: async (request, reply) => {
        const { privateKey, createdAt } = await keyFor(request)
        return reply.send({ ...signingKeyOf(privateKeyOf(privateKey)), created_at: createdAt.toISOString() })
      },
    },
    {
      id: 'getStatementKeySet',
      method: 'GET',
      path: '/api/statement-key/jwks',
      summary: 'Get the public keys for statements and receipts as a JWK set',
      description:
        'Returns the same key as a JWK set (RFC 7517), as libraries for JWS read it. Its `kid` is the fingerprint, ' +
        'which every signature names. Publish it where your customers and their auditors look for it.',
      tag: 'Reports',
      scope: 'orders:read',
      query: {},
      answer: {
        description: 'The keys.',
        schema: schemaRef(JwkSet),
        example: examples.keySet,
      },
      failures: ['invalid_request', ...MAKES_KEY],
      handle: async (request, reply) => {
        const { privateKey } = await keyFor(request)
        return reply.send({ keys: [jwkOf(privateKeyOf(privateKey))] })
      },
    },
  ] as const satisfies readonly RouteDefinition[]
}
