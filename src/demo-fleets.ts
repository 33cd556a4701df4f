// Assembles the demo fleet for the service and the command line.
import type { Pool } from 'pg'
import { DEMO_KEY_MS, KEYS_KNOWN_MS } from './config.ts'
import { planFleet } from './demo/plan-fleet.ts'
import { loadFleet, type FleetContext } from './demo/post-fleet.ts'
import type { DemoFleets } from './http/routes/demo-fleet.ts'
import { validatorOf } from './http/schemas/registry.ts'
import { nameHolder, createImportContext, type CurrentRelease } from './create-import-context.ts'
import { withDeadline } from './concurrency/deadline.ts'
import { countDemo, findDemo, loadDemo, makeDemoKey, openDemo, removeDemo } from './postgres/accounts/demo-accounts.ts'

/** All scopes but admin: keys of a demo fleet are created by its owner. */
const SCOPES = ['orders:write', 'orders:read', 'catalogue:read'] as const

export interface DemoFleetService extends DemoFleets {
  /** Resolves when the events in progress are stored; the rest is posted when the load is requested again. */
  readonly stop: () => Promise<void>
}

/**
 * Posts the way an import does, with its own queues, so that requests do not wait behind it.
 * @param servedWithin true if this process received a request within the given time
 * @param report reports a failed load to the operator
 */
export function createDemoFleets(
  pool: Pool,
  served: CurrentRelease,
  servedWithin: FleetContext['servedWithin'],
  report: (error: Error) => void,
): DemoFleetService {
  const context = {
    ...createImportContext(pool, served, nameHolder(), servedWithin),
    validatorOf,
  }
  const loadings = new Map<number, Promise<void>>()
  let isStopping = false

  /** Loads each fleet once at a time; if two processes load one fleet, each finds what the other has posted. */
  function load(accountId: number, today: string): Promise<void> {
    const inFlight = loadings.get(accountId)
    if (inFlight) return inFlight
    const post = () => loadFleet(context, accountId, planFleet(served.referenceData, today), () => isStopping)
    // Loading takes longer than the request that starts it may take.
    const loading = withDeadline(Infinity, () => loadDemo(pool, accountId, post))
      .catch(report)
      .finally(() => loadings.delete(accountId))
    loadings.set(accountId, loading)
    return loading
  }

  return {
    find: async (ownerId) => {
      const demo = await findDemo(pool, ownerId)
      return demo && { demo, counts: await countDemo(pool, demo.accountId) }
    },
    load: async (ownerId) => {
      const now = new Date()
      const facts = () => planFleet(served.referenceData, now.toISOString().slice(0, 10)).facts.length
      const demo = (await findDemo(pool, ownerId)) ?? (await openDemo(pool, ownerId, now, facts()))
      if (typeof demo === 'string') return demo
      const keyExpiresAt = new Date(now.getTime() + DEMO_KEY_MS)
      const key = await makeDemoKey(pool, demo.accountId, {
        label: 'Demo fleet',
        scopes: SCOPES,
        expiresAt: keyExpiresAt,
      })
      if (key === null) return 'gone'
      const loading = demo.loadedAt ? Promise.resolve() : load(demo.accountId, demo.today)
      return { demo, counts: await countDemo(pool, demo.accountId), key, keyExpiresAt, loading }
    },
    remove: (ownerId) => removeDemo(pool, ownerId, KEYS_KNOWN_MS),
    stop: async () => {
      isStopping = true
      await Promise.all(loadings.values())
    },
  }
}
