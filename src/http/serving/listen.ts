// Where the service listens: on several sockets of one port, so that a busy thread takes new connections all the same.
import { createServer, type AddressInfo, type ListenOptions, type Server } from 'node:net'
import type { FastifyInstance } from 'fastify'

/**
 * Node takes one connection from a listening socket each time it comes round to it, which under overload is a few times
 * a second: with a single socket, those that come in a flood wait for minutes, and nobody answers them. With these,
 * thousands are taken within some seconds. Only Linux shares out a port's connections among sockets.
 */
const SOCKETS = process.platform === 'linux' ? 128 : 1

const furtherOf = new WeakMap<FastifyInstance, readonly Server[]>()

/** All that take connections for it. */
export const serversOf = (app: FastifyInstance): readonly Server[] => [app.server, ...(furtherOf.get(app) ?? [])]

/**
 * @param port 0 for one that is free
 * @returns the address
 * @throws Error EADDRINUSE where anybody listens on the port, on however many sockets
 */
export async function listenOnSeveral(app: FastifyInstance, host: string, port: number, backlog: number) {
  if (SOCKETS === 1) return app.listen({ host, port, backlog })
  const options = { host, port: await findFree(host, port), backlog, reusePort: true }
  const address = await app.listen(options)
  // As Node's own HTTP server has its connections.
  const further = Array.from({ length: SOCKETS - 1 }, () =>
    createServer({ allowHalfOpen: true, noDelay: true }, (socket) => app.server.emit('connection', socket)),
  )
  furtherOf.set(app, further)
  await Promise.all(further.map((server) => listening(server, options)))
  return address
}

/** A port that is shared could be shared with another program as well; one that is asked for alone cannot. */
async function findFree(host: string, port: number): Promise<number> {
  const server = createServer()
  await listening(server, { host, port })
  const { port: free } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return free
}

const listening = (server: Server, options: ListenOptions): Promise<void> =>
  new Promise((resolve, reject) => server.once('error', reject).listen(options, resolve))
