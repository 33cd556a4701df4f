// Reads a file as an import does, and prints how fast that is, in how much memory, and how long it holds the process:
// `node scripts/read-import-file.ts FILE`
import { readOrders } from '../src/spreadsheets/read-orders.ts'
import { openSource, parseJson, settingsOf } from '../test/import-reading.ts'

const MB = 1024 * 1024
const SECOND_US = 1e6
const LONG_US = 2_000

const [file] = process.argv.slice(2)
if (!file) throw new Error('Usage: node scripts/read-import-file.ts FILE')
await using source = await openSource(file)
const settings = await settingsOf(source)
const turns = watchTurns()
const memoryBefore = process.memoryUsage.rss()
const [startedAt, cpuBefore] = [performance.now(), process.cpuUsage()]
let [orders, rows, faults, batches, peak] = [0, 0, 0, 0, memoryBefore]
for await (const batch of readOrders(source, settings, parseJson)) {
  orders += batch.length
  for (const order of batch) {
    rows += order.rows.length
    faults += order.errors.length
  }
  batches += 1
  if (batches % 50 === 0) peak = Math.max(peak, process.memoryUsage.rss())
}
const [seconds, cpu] = [(performance.now() - startedAt) / 1000, process.cpuUsage(cpuBefore)]
const cpuSeconds = (cpu.user + cpu.system) / SECOND_US
const line = (name: string, value: string): void => void process.stdout.write(`${name.padEnd(34)}${value}\n`)
line('file', `${(source.bytes / MB).toFixed(1)} MB, ${settings.format}, one row for each of its ${settings.layout}`)
line('orders, rows, faults of the file', `${orders}, ${rows}, ${faults}`)
line('rows a second', `${Math.round(rows / seconds)} (${Math.round(rows / cpuSeconds)} a second of one core)`)
line(
  'largest resident memory',
  `${(peak / MB).toFixed(0)} MB, ${(memoryBefore / MB).toFixed(0)} MB of it before the first row`,
)
const held = turns.stop()
const long = held.filter((microseconds) => microseconds > LONG_US)
line('computed at a time', `at most ${((held.at(-1) ?? 0) / 1000).toFixed(1)} ms, ${long.length} times more than 2 ms`)

/** How long this thread computes from one turn of the event loop to the next, whatever else the machine does. */
function watchTurns() {
  const computed = () => {
    const { user, system } = process.threadCpuUsage()
    return user + system
  }
  const times: number[] = []
  let last = computed()
  let next = setImmediate(turn)
  function turn(): void {
    const now = computed()
    times.push(now - last)
    last = now
    next = setImmediate(turn)
  }
  return {
    stop: (): readonly number[] => {
      clearImmediate(next)
      return times.sort((a, b) => a - b)
    },
  }
}
