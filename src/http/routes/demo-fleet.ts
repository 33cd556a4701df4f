// /api/demo-fleet: loads, returns and removes a made-up fleet in a separate account next to the caller's account.
import { DemoFleet, LoadedDemoFleet, RemovedDemoFleet } from '../schemas/account.ts'
import type { DemoAccount, DemoCounts, RemovedDemo } from '../../postgres/accounts/demo-accounts.ts'
import { callerOf } from '../plugins/authentication.ts'
import { schemaRef } from '../../contract/named-schema.ts'
import { ApiError } from '../../contract/errors.ts'
import type { RouteDefinition } from '../route-definition.ts'
import { parseQuery } from '../parameters.ts'
import type { Message } from '../../engine/message.ts'
import { ROUTE_MESSAGES } from '../messages.ts'

export interface DemoFleetState {
  readonly demo: DemoAccount
  readonly counts: DemoCounts
}

export interface StartedDemoLoad extends DemoFleetState {
  readonly key: string
  readonly keyExpiresAt: Date
  /** Settles when the fleet is complete or the program is stopping. */
  readonly loading: Promise<void>
}

export interface DemoFleets {
  readonly find: (accountId: number) => Promise<DemoFleetState | null>
  readonly load: (accountId: number) => Promise<StartedDemoLoad | 'of-demo' | 'name-taken' | 'gone'>
  readonly remove: (accountId: number) => Promise<RemovedDemo>
}

export interface DemoFleetContext {
  readonly demoFleets: DemoFleets
}

const PATH = '/api/demo-fleet'
const EXAMPLE = {
  account: 'acme (demo fleet)',
  progress: 1,
  loaded_at: '2026-01-31T10:00:05.000Z',
  orders: 1000,
  devices: 500,
  events: 1533,
}

export const demoFleetOperations = ({ demoFleets }: DemoFleetContext): readonly RouteDefinition[] => [
  getOperation(demoFleets),
  loadOperation(demoFleets),
  removeOperation(demoFleets),
]

const getOperation = (demoFleets: DemoFleets): RouteDefinition => ({
  id: 'getDemoFleet',
  method: 'GET',
  path: PATH,
  summary: 'Get the demo fleet',
  description: 'Returns the progress and the counts of the demo fleet. 404 if none was loaded.',
  tag: 'Account',
  scope: 'admin',
  query: {},
  answer: { description: 'The demo fleet.', schema: schemaRef(DemoFleet), example: EXAMPLE },
  failures: ['invalid_request', 'not_found'],
  handle: async (request, reply) => {
    parseQuery(request.query, {})
    const fleet = await demoFleets.find(callerOf(request).accountId)
    if (!fleet) throw noFleet()
    return reply.send(printFleet(fleet))
  },
})

const loadOperation = (demoFleets: DemoFleets): RouteDefinition => ({
  id: 'loadDemoFleet',
  hasSecret: true,
  method: 'POST',
  path: PATH,
  summary: 'Load the demo fleet',
  description:
    'Posts twelve months, up to today, of orders and events of a fictitious rental company. They are posted like ' +
    'those of any client, to a separate account next to yours. Loading continues after the response; GET returns the ' +
    'progress. Another call resumes a load that was interrupted and creates another key. A key may read and post in ' +
    'that account for 12 hours and has no access to any other account.',
  tag: 'Account',
  scope: 'admin',
  query: {},
  answer: {
    status: 202,
    description: 'The current state of the demo fleet, and a key of its account.',
    schema: schemaRef(LoadedDemoFleet),
    example: { key: 'cradle_…', key_expires_at: '2026-01-31T22:00:05.000Z', ...EXAMPLE },
  },
  failures: ['invalid_request', 'conflict'],
  handle: async (request, reply) => {
    parseQuery(request.query, {})
    const begun = await demoFleets.load(callerOf(request).accountId)
    if (typeof begun === 'string') throw conflictOf(REFUSALS[begun])
    const { key, keyExpiresAt } = begun
    return reply.code(202).send({ key, key_expires_at: keyExpiresAt.toISOString(), ...printFleet(begun) })
  },
})

const removeOperation = (demoFleets: DemoFleets): RouteDefinition => ({
  id: 'removeDemoFleet',
  method: 'DELETE',
  path: PATH,
  summary: 'Remove the demo fleet',
  description:
    'Deletes the account of the demo fleet with all its data, including data that was added there. Its keys stop ' +
    'working. No other account can be removed this way. The call takes about a second.',
  tag: 'Account',
  scope: 'admin',
  query: {},
  answer: {
    description: 'The account and the number of rows that were removed.',
    schema: schemaRef(RemovedDemoFleet),
    example: { account: EXAMPLE.account, rows: 4321 },
  },
  failures: ['invalid_request', 'not_found', 'conflict'],
  handle: async (request, reply) => {
    parseQuery(request.query, {})
    const removed = await demoFleets.remove(callerOf(request).accountId)
    if (removed === 'none') throw noFleet()
    if (removed === 'busy') throw conflictOf(BUSY)
    return reply.send({ account: removed.name, rows: removed.rows })
  },
})

/** Why a demo fleet cannot be loaded. */
export const REFUSALS = {
  'of-demo': ROUTE_MESSAGES.demo_fleet_itself(),
  'name-taken': ROUTE_MESSAGES.demo_fleet_name(),
  gone: ROUTE_MESSAGES.demo_fleet_gone(),
} as const

export const BUSY = ROUTE_MESSAGES.demo_fleet_busy()

const conflictOf = (why: Message): ApiError => new ApiError('conflict', why, [{ path: '', ...why }])

const noFleet = (): ApiError => new ApiError('not_found', ROUTE_MESSAGES.demo_fleet_unknown())

const printFleet = ({ demo, counts: { orders, devices, events } }: DemoFleetState) => ({
  account: demo.name,
  // Orders and events that were added meanwhile count too, so this is approximate until the load is complete.
  progress: demo.loadedAt ? 1 : Math.min(0.99, Math.floor((100 * (orders + events)) / demo.facts) / 100),
  loaded_at: demo.loadedAt?.toISOString() ?? null,
  orders,
  devices,
  events,
})
