// /api/account: the account that a key belongs to, and what holds for devices that it rents from now on.
import type { FastifyReply } from 'fastify'
import type { AccountSettings, AccountsSettings, Amortisation } from '../../postgres/accounts.ts'
import { Account, AccountParams, printAccount } from '../schemas/account.ts'
import { callerOf } from '../plugins/authentication.ts'
import { schemaRef, type NamedSchema } from '../../contract/named-schema.ts'
import { invalidRequest } from '../../contract/errors.ts'
import type { RouteDefinition } from '../route-definition.ts'
import { IGNORED_HEADER, parseQuery, setIgnoredHeader } from '../parameters.ts'
import { unknownMembers } from '../../contract/parse-order.ts'
import type { Validate } from '../../contract/validation.ts'

export interface AccountRoutesOptions {
  readonly accountsSettings: AccountsSettings
  readonly validatorOf: (schema: NamedSchema) => Validate
}

const PATH = '/api/account'
const EXAMPLE = {
  name: 'acme',
  amortisation: 'capped',
  mappings_version: 12,
  created_at: '2026-01-31T10:00:00.000Z',
  is_demo: false,
  has_demo_fleet: false,
}

export const accountOperations = ({
  accountsSettings,
  validatorOf,
}: AccountRoutesOptions): readonly RouteDefinition[] => {
  const validate = validatorOf(AccountParams)
  return [
    {
      id: 'getAccount',
      method: 'GET',
      path: PATH,
      summary: 'The account of the key',
      description: 'Its name, and what holds for the devices that it rents from now on.',
      tag: 'Account',
      scope: 'admin',
      query: {},
      answer: { description: 'The account.', schema: schemaRef(Account), example: EXAMPLE },
      failures: ['invalid_request'],
      handle: async (request, reply) => {
        parseQuery(request.query, {})
        return send(reply, await accountsSettings.find(callerOf(request).accountId))
      },
    },
    {
      id: 'putAccount',
      method: 'PUT',
      path: PATH,
      summary: 'Change what holds for devices from now on',
      description:
        'A device that was rented before stays as it is. It holds within a second in every process. What else GET ' +
        'answers cannot be changed here, and is told as ignored.',
      tag: 'Account',
      scope: 'admin',
      query: {},
      body: { schema: AccountParams, example: { amortisation: 'capped' } },
      answer: {
        description: 'The account.',
        schema: schemaRef(Account),
        example: EXAMPLE,
        headers: IGNORED_HEADER,
      },
      failures: ['invalid_request', 'too_large', 'unsupported_media_type'],
      handle: async (request, reply) => {
        parseQuery(request.query, {})
        const { problems } = validate(request.body)
        if (problems.length > 0) throw invalidRequest(problems)
        const wire = request.body as { readonly amortisation: Amortisation }
        setIgnoredHeader(
          reply,
          unknownMembers(wire, Object.keys(AccountParams.properties)).map((name) => `/${name}`),
        )
        return send(reply, await accountsSettings.setAmortisation(callerOf(request).accountId, wire.amortisation))
      },
    },
  ]
}

const send = (reply: FastifyReply, account: AccountSettings): FastifyReply => reply.send(printAccount(account))
