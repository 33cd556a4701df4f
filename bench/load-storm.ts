// A storm of retries: orders that are stored are sent again at full rate, while another account posts new ones.
import { execFileSync } from 'node:child_process'
import { orderRequest } from './bench-order.ts'
import type { CradleSubject } from './cradle-target.ts'
import { offer, post, postStored, type Offered, type Stage } from './load-stages.ts'
import type { Turn } from './alternation.ts'

export const STORED_ORDERS = 20_000
/** So few that each of them is under way several times at once: clients that retry before they have an answer. */
const COPIED_ORDERS = 8
const BESIDE_SHARE = 0.25

/** What another account's new orders take beside repetitions, and the repetitions themselves. */
export interface Storm {
  readonly posting: Offered
  /** Null where nothing is repeated. */
  readonly repeated: Turn | null
}

/** New orders of another account, alone and beside two storms. */
export async function measureStorms(stage: Stage, highest: number): Promise<readonly Storm[]> {
  const from = await postStored(stage, STORED_ORDERS)
  const request = orderRequest(stage.cradle.names, keyOfAnotherAccount(stage.cradle))
  const others = (name: string) => offer(stage, name, highest * BESIDE_SHARE, { request })
  const storms: Storm[] = [{ posting: await others('nothing'), repeated: null }]
  for (const [name, count] of [
    [`${STORED_ORDERS.toLocaleString('en')} stored orders, sent again`, STORED_ORDERS],
    [`${COPIED_ORDERS} stored orders, each by ${64 / COPIED_ORDERS} clients at once`, COPIED_ORDERS],
  ] as const) {
    const numbers = { kind: 'spread' as const, from, count }
    const [posting, repeated] = await Promise.all([others(name), post(stage, null, { numbers })])
    stage.print(`repeated meanwhile: ${Math.round(repeated.perSecond)}/s (p99 ${repeated.load.latency.p99Ms} ms)`)
    storms.push({ posting, repeated })
  }
  return storms
}

function keyOfAnotherAccount({ program, dataDirectory }: CradleSubject): string {
  const command = [program, 'keys', 'create', '--account', 'another']
  const env = { ...process.env, CRADLE_DATA_DIR: dataDirectory }
  return execFileSync(process.execPath, command, { encoding: 'utf8', env, stdio: ['ignore', 'pipe', 'ignore'] }).trim()
}
