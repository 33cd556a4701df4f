// A plain balancer of TCP connections before several processes: each new connection goes to the next that takes it.
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

export interface Balancer {
  readonly address: string
  /** How many connections each process got. */
  readonly taken: readonly number[]
  readonly stop: () => Promise<void>
}

export async function startBalancer(addresses: readonly string[]): Promise<Balancer> {
  const taken = addresses.map(() => 0)
  const open = new Set<Socket>()
  let turn = 0

  /** One that does not listen is passed over; when none does, the client is refused. */
  function lead(client: Socket, triesLeft: number): void {
    if (triesLeft === 0) return void client.destroy()
    const at = (turn += 1) % addresses.length
    const { hostname, port } = new URL(addresses[at]!)
    const server = connect(Number(port), hostname)
    const passOver = () => lead(client, triesLeft - 1)
    server.once('error', passOver)
    server.once('connect', () => {
      server.off('error', passOver)
      taken[at]! += 1
      for (const [from, to] of [
        [client, server],
        [server, client],
      ] as const) {
        open.add(from)
        from.on('error', () => to.destroy()).on('close', () => void open.delete(from))
        from.pipe(to)
      }
    })
  }

  const listener = createServer((client) => lead(client, addresses.length))
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const stop = async () => {
    const closed = once(listener, 'close')
    listener.close()
    for (const socket of open) socket.destroy()
    await closed
  }
  return { address: `http://127.0.0.1:${(listener.address() as AddressInfo).port}`, taken, stop }
}
