// What limits each contender, said in sentences that follow from its CPU clocks and nothing else.
import type { Figures } from './figures.ts'
import { WRITERS, type ContenderId } from './rounds.ts'

// From here on a thread or the machine counts as used up: what is missing are moments between two events.
const THREAD_SATURATED = 0.8
const MACHINE_SATURATED = 0.9

export const CONTENDER_NAMES: Readonly<Record<ContenderId, string>> = {
  bare: 'a: bare node:http, nothing stored',
  usual: 'b: the usual way, a transaction an order',
  orders: 'c: Cradle, POST /api/customer-orders',
  devices: 'd: Cradle, GET /api/device-emissions/{id}',
  repeated: 'e: Cradle, POST of an order that is stored',
}

/** @param bareServer what the bare server answered a second, which bounds are compared with */
export function limitsOf(id: ContenderId, figures: Figures, cores: number, bareServer: number): string {
  const { serverMicros, postgresMicros, generatorMicros, othersShare } = figures
  const all = serverMicros + postgresMicros + generatorMicros
  const part = (micros: number) => `${Math.round((micros / all) * 100)} %`
  return [
    `**${CONTENDER_NAMES[id]}**: ${bottleneckOf(figures, cores)}`,
    `A request costs ${all.toFixed(0)} µs of CPU: ${part(serverMicros)} in the server's process,`,
    `${part(postgresMicros)} in PostgreSQL, ${part(generatorMicros)} in the load generator.`,
    ...(id === 'bare' ? [] : [boundSentence(serverMicros, all, cores, bareServer)]),
    ...(othersShare > 0.05 ? [`Other programs took ${percent(othersShare)} of the machine meanwhile.`] : []),
    ...(WRITERS.includes(id) ? [walSentence(figures)] : []),
  ].join(' ')
}

function bottleneckOf({ busyShare, serverCoreShare }: Figures, cores: number): string {
  const machine = `${percent(busyShare)} of the machine's ${cores} cores busy`
  const server = `the server's process at ${percent(serverCoreShare)} of one core`
  if (serverCoreShare >= THREAD_SATURATED) return `its one JavaScript thread limits it (${server}; ${machine}).`
  if (busyShare >= MACHINE_SATURATED) return `the machine's CPU limits it (${machine}; ${server}).`
  return (
    `neither a thread nor the machine is used up (${machine}; ${server}): the rest is waiting, for the disk's ` +
    'syncs or for one another.'
  )
}

/** What these costs leave room for, if nothing ever waited for anything. */
function boundSentence(serverMicros: number, allMicros: number, cores: number, bareServer: number): string {
  const atMost = (perSecond: number) =>
    `${Math.round(perSecond).toLocaleString('en')} a second (${(perSecond / bareServer).toFixed(2)} of the bare server)`
  const [process, machine] = [atMost(1e6 / serverMicros), atMost((cores * 1e6) / allMicros)]
  return `Without any waiting, the server's process on one core would answer ${process}, all ${cores} cores ${machine}.`
}

function walSentence({ wal, requests }: Figures): string {
  const [syncs, orders] = [wal.syncs.toLocaleString('en'), requests.toLocaleString('en')]
  const ordersPerSync = (requests / Math.max(1, wal.syncs)).toFixed(1)
  return (
    `${syncs} syncs of the write-ahead log for ${orders} orders: ${ordersPerSync} orders a sync. It grew by ` +
    `${Math.round(wal.bytes / requests).toLocaleString('en')} bytes an order, with whole pages after each checkpoint.`
  )
}

const percent = (share: number): string => `${Math.round(share * 100)} %`
