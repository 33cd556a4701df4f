// A TCP proxy in front of PostgreSQL that refuses, delays, trickles, breaks and swallows what passes through it.
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '../../scripts/random-orders.ts'

export type Fault =
  | { readonly kind: 'none' }
  /** Each piece of what is sent arrives later, in both directions. */
  | { readonly kind: 'delay'; readonly milliseconds: number }
  | { readonly kind: 'trickle'; readonly bytesPerSecond: number }
  /** This share of the pieces is answered by RST instead of being passed on. */
  | { readonly kind: 'reset'; readonly share: number }
  /** Of this share of the commits, what the database answers is not passed on: the client gets RST. */
  | { readonly kind: 'reset-after-commit'; readonly share: number }
  /** The count at the end of a COPY arrives later than its rows. */
  | { readonly kind: 'late-count'; readonly milliseconds: number }
  /** Nothing is passed on, and nothing closed; what was connected meanwhile stays so for ever. */
  | { readonly kind: 'black-hole' }

export interface FaultProxy {
  readonly port: number
  readonly set: (fault: Fault) => void
  /** Closes the port and every connection. */
  readonly refuse: () => Promise<void>
  /** Opens the port again. */
  readonly accept: () => Promise<void>
  /** Connections made from now on lead to another server. */
  readonly aim: (socketPath: string) => void
  /** Faults that were made, of the kinds that strike now and then. */
  readonly struck: () => number
}

interface Pair {
  readonly client: Socket
  readonly server: Socket
  isSwallowed: boolean
  isCommitting: boolean
}

/** A commit by itself, and the statement that stores new orders, which is one. */
const COMMITS = [Buffer.from('commit\0'), Buffer.from('post-new\0')]
const TRICKLE_MS = 50
/** CopyDone of the protocol: all rows have been sent; what follows is their count. */
const COPY_DONE = Buffer.from([0x63, 0, 0, 0, 4])

async function passCountLater(piece: Buffer, to: Socket, milliseconds: number): Promise<void> {
  const end = piece.lastIndexOf(COPY_DONE)
  if (end < 0) return void to.write(piece)
  to.write(piece.subarray(0, end + COPY_DONE.length))
  await sleep(milliseconds)
  to.write(piece.subarray(end + COPY_DONE.length))
}

export async function startFaultProxy(socketPath: string, random: Random): Promise<FaultProxy> {
  let fault: Fault = { kind: 'none' }
  let target = socketPath
  let struck = 0
  const pairs = new Set<Pair>()

  const strike = ({ client, server }: Pair) => {
    struck += 1
    client.resetAndDestroy()
    server.destroy()
  }

  async function pass(pair: Pair, from: Socket, to: Socket, piece: Buffer): Promise<void> {
    const now = fault
    if (now.kind === 'black-hole') pair.isSwallowed = true
    if (pair.isSwallowed) return
    if (now.kind === 'reset' && random() < now.share) return strike(pair)
    if (from === pair.client && now.kind === 'reset-after-commit' && COMMITS.some((words) => piece.includes(words)))
      pair.isCommitting = random() < now.share
    // The database answers when the commit is durable.
    if (from === pair.server && pair.isCommitting) return strike(pair)
    if (now.kind === 'delay') await sleep(now.milliseconds)
    if (now.kind === 'late-count' && from === pair.server) return passCountLater(piece, to, now.milliseconds)
    if (now.kind !== 'trickle') return void to.write(piece)
    const size = Math.max(1, Math.round((now.bytesPerSecond * TRICKLE_MS) / 1000))
    for (let at = 0; at < piece.length && !to.destroyed; at += size) {
      to.write(piece.subarray(at, at + size))
      await sleep(TRICKLE_MS)
    }
  }

  const listener = createServer((client) => {
    const pair: Pair = { client, server: connect(target), isSwallowed: false, isCommitting: false }
    pairs.add(pair)
    forward(pair, client, pair.server)
    forward(pair, pair.server, client)
  })

  function forward(pair: Pair, from: Socket, to: Socket): void {
    // One piece after the other, whatever happens to each.
    let turn = Promise.resolve()
    from.on('data', (piece: Buffer) => {
      turn = turn.then(() => pass(pair, from, to, piece))
    })
    from.on('error', () => undefined)
    from.on('close', () => {
      pairs.delete(pair)
      if (!pair.isSwallowed || from === pair.client) void turn.then(() => to.destroy())
    })
  }

  const accept = async (port: number) => {
    listener.listen(port, '127.0.0.1')
    await once(listener, 'listening')
  }
  await accept(0)
  const { port } = listener.address() as AddressInfo
  return {
    port,
    set: (next) => (fault = next),
    aim: (next) => (target = next),
    accept: () => accept(port),
    refuse: async () => {
      const closed = once(listener, 'close')
      listener.close()
      for (const { client, server } of pairs) for (const socket of [client, server]) socket.destroy()
      await closed
    },
    struck: () => struck,
  }
}
