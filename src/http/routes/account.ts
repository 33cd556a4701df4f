// /api/account: the account that a key belongs to, and its settings for devices rented from now on.
import type { FastifyReply } from 'fastify'
import type {
  AccountSettings,
  AccountsSettings,
  Amortisation,
  ChangedSettings,
  Strictness,
} from '../../postgres/accounts.ts'
import { Account, AccountParams, LATEST, printAccount } from '../schemas/account.ts'
import { callerOf } from '../plugins/authentication.ts'
import { schemaRef, type NamedSchema } from '../../contract/named-schema.ts'
import { invalidRequest } from '../../contract/errors.ts'
import { unknownRelease } from './dataset-releases.ts'
import type { RouteDefinition } from '../route-definition.ts'
import { IGNORED_HEADER, parseQuery, setIgnoredMembers } from '../parameters.ts'
import type { Validate } from '../../contract/validation.ts'

interface WireSettings {
  readonly amortisation: Amortisation
  readonly strictness?: Strictness
  readonly days_ahead_max?: number | null
  readonly restatement_threshold_percent?: number
  readonly dataset_release?: string
}

const settingsOf = ({
  amortisation,
  strictness,
  days_ahead_max: daysAheadMax,
  restatement_threshold_percent: restatementThresholdPercent,
  dataset_release: datasetRelease,
}: WireSettings): ChangedSettings => ({
  amortisation,
  ...(strictness !== undefined && { strictness }),
  ...(daysAheadMax !== undefined && { daysAheadMax }),
  ...(restatementThresholdPercent !== undefined && { restatementThresholdPercent }),
  ...(datasetRelease !== undefined && { datasetRelease: datasetRelease === LATEST ? null : datasetRelease }),
})

export interface AccountRoutesOptions {
  readonly accountsSettings: AccountsSettings
  readonly validatorOf: (schema: NamedSchema) => Validate
}

const PATH = '/api/account'
const EXAMPLE = {
  name: 'acme',
  amortisation: 'capped',
  strictness: 'warn',
  days_ahead_max: 1,
  restatement_threshold_percent: 5,
  dataset_release: LATEST,
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
      summary: 'Get the account',
      description: 'Returns the account of the key: its name, and its settings.',
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
      summary: 'Change the settings of the account',
      description:
        'Changes the amortisation of devices that are rented from now on. Devices that were rented before do not ' +
        'change. Also changes strictness, days_ahead_max, restatement_threshold_percent and dataset_release, if they ' +
        'are sent. The change takes effect in every process within a second. The other members that GET returns ' +
        'cannot be changed here. If they are sent, they are ignored and listed in `X-Ignored-Members`.',
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
        const wire = request.body as WireSettings
        setIgnoredMembers(reply, wire, AccountParams)
        const { accountId } = callerOf(request)
        const changed = await accountsSettings.change(accountId, settingsOf(wire))
        if (changed === null) throw unknownRelease('/dataset_release', wire.dataset_release!)
        return send(reply, changed)
      },
    },
  ]
}

const send = (reply: FastifyReply, account: AccountSettings): FastifyReply => reply.send(printAccount(account))
