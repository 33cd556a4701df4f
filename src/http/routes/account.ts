// /api/account: the account that a key belongs to, and its settings for devices rented from now on.
import { GRID_SERIES_CHOICE } from '../../engine/reference/read-own-figures.ts'
import type { ReferenceData } from '../../engine/reference/reference-data.ts'
import type { AccountFigures } from '../../postgres/account-figures.ts'
import type { AccountsSettings, Amortisation, Caller, ChangedSettings, Strictness } from '../../postgres/accounts.ts'
import { Account, AccountParams, DEFAULT_SERIES, LATEST, printAccount } from '../schemas/account.ts'
import { ROUTE_MESSAGES } from '../messages.ts'
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
  readonly grid_series?: string
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
  readonly figures: AccountFigures
  /** Lets the account's next order use its figures of this version. */
  readonly noteFigures: (accountId: number, figuresVersion: number) => void
  /** Says which series of grid factors there are. */
  readonly referenceData: ReferenceData
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
  grid_series: DEFAULT_SERIES,
  mappings_version: 12,
  created_at: '2026-01-31T10:00:00.000Z',
  is_demo: false,
  has_demo_fleet: false,
}

export const accountOperations = (context: AccountRoutesOptions): readonly RouteDefinition[] => {
  const { accountsSettings } = context
  const validate = context.validatorOf(AccountParams)
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
        const { accountId } = callerOf(request)
        const [account, series] = await Promise.all([accountsSettings.find(accountId), seriesOf(context, accountId)])
        return reply.send(printAccount(account, series))
      },
    },
    {
      id: 'putAccount',
      method: 'PUT',
      path: PATH,
      summary: 'Change the settings of the account',
      description:
        'Changes the amortisation of devices that are rented from now on. Devices that were rented before do not ' +
        'change. Also changes strictness, days_ahead_max, restatement_threshold_percent, dataset_release and ' +
        'grid_series, if they are sent. The change takes effect in every process within a second. The other members ' +
        'that GET returns cannot be changed here. If they are sent, they are ignored and listed in ' +
        '`X-Ignored-Members`.',
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
        checkSeries(wire.grid_series, context)
        setIgnoredMembers(reply, wire, AccountParams)
        const caller = callerOf(request)
        const { accountId } = caller
        const changed = await accountsSettings.change(accountId, settingsOf(wire))
        if (changed === null) throw unknownRelease('/dataset_release', wire.dataset_release!)
        if (wire.grid_series !== undefined) await chooseSeries(context, caller, wire.grid_series)
        return reply.send(printAccount(changed, await seriesOf(context, accountId)))
      },
    },
  ]
}

/** @throws ApiError if no release has the series */
function checkSeries(series: string | undefined, { referenceData }: AccountRoutesOptions): void {
  if (series === undefined || series === DEFAULT_SERIES || referenceData.gridSeries.has(series)) return
  const ids = [DEFAULT_SERIES, ...referenceData.gridSeries.keys()]
  throw invalidRequest([
    { path: '/grid_series', ...ROUTE_MESSAGES.grid_series_unknown({ series: series.slice(0, 80), ids }) },
  ])
}

const { kind, id } = GRID_SERIES_CHOICE

async function seriesOf({ figures }: AccountRoutesOptions, accountId: number): Promise<string | null> {
  const stored = await figures.find(accountId, kind, id)
  return stored === null ? null : String(stored.body['series'])
}

/** Kept with the account's own figures, so that it is part of the release of each order and of its restatement. */
async function chooseSeries(
  { figures, noteFigures, referenceData }: AccountRoutesOptions,
  { accountId, keyId }: Pick<Caller, 'accountId' | 'keyId'>,
  series: string,
): Promise<void> {
  const isDefault = series === DEFAULT_SERIES || referenceData.gridSeries.get(series)!.isDefault
  const change = { accountId, keyId, kind }
  const stored = isDefault
    ? await figures.remove(change, id, () => true)
    : await figures.put(change, [{ id, body: { series } }], { mayReplace: () => true, reason: null })
  if (stored.ok && stored.figuresVersion !== null) noteFigures(accountId, stored.figuresVersion)
}
