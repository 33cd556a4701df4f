// Runs work on many items concurrently, and on items that share a key one after the other.
import { setImmediate as turn } from 'node:timers/promises'

export interface RunByKeysOptions<Item> {
  /** Items with a common key are worked on in their order. */
  readonly keysOf: (item: Item) => readonly string[]
  readonly weightOf: (item: Item) => number
  /** Total weight of the items that are worked on concurrently; a heavier item is worked on alone. */
  readonly weightMax: number
  /** Once aborted, no more work is started. */
  readonly signal: AbortSignal
}

/** How long work is started before other requests get a turn. */
const SLICE_MS = 5

/**
 * After a failure no more work is started.
 * @returns the results in the order of the items
 * @throws the first error of the work or the reason of the signal, once all work that was started has ended
 */
export async function runByKeys<Item, Result>(
  items: readonly Item[],
  { keysOf, weightOf, weightMax, signal }: RunByKeysOptions<Item>,
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = []
  const { ready, complete } = createDependencies(items.map(keysOf))
  const errors: unknown[] = []
  let [running, weight] = [0, 0]
  let wake = () => {}
  const start = async (at: number): Promise<void> => {
    const own = weightOf(items[at]!)
    running += 1
    weight += own
    try {
      results[at] = await work(items[at]!)
      complete(at)
    } catch (error) {
      errors.push(error)
    }
    running -= 1
    weight -= own
    wake()
  }
  const hasRoom = () => running === 0 || weight + weightOf(items[ready[0]!]!) <= weightMax
  for (let sliceEnd = performance.now() + SLICE_MS; ready.length > 0 || running > 0;) {
    if (signal.aborted || errors.length > 0) ready.length = 0
    if (ready.length > 0 && hasRoom()) void start(ready.shift()!)
    else if (running > 0) await new Promise<void>((resolve) => (wake = resolve))
    if (performance.now() < sliceEnd) continue
    await turn()
    sliceEnd = performance.now() + SLICE_MS
  }
  if (errors.length > 0) throw errors[0]
  signal.throwIfAborted()
  return results
}

/** The positions of items that wait for no earlier item; completing an item adds those that waited only for it. */
function createDependencies(keysOfItems: readonly (readonly string[])[]) {
  const lastWith = new Map<string, number>()
  const following: number[][] = keysOfItems.map(() => [])
  const awaited = keysOfItems.map((keys, at) => {
    const earlier = new Set(keys.map((key) => lastWith.get(key)).filter((one) => one !== undefined))
    for (const one of earlier) following[one]!.push(at)
    for (const key of keys) lastWith.set(key, at)
    return earlier.size
  })
  const ready = [...keysOfItems.keys()].filter((at) => awaited[at] === 0)
  const complete = (at: number): void => {
    for (const one of following[at]!) {
      awaited[one]! -= 1
      if (awaited[one] === 0) ready.push(one)
    }
  }
  return { ready, complete }
}
