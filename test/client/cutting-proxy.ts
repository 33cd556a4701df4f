// A proxy before the service that loses answers, so that a client has to send again what is stored already.
import { once } from 'node:events'
import { connect, createServer, type AddressInfo } from 'node:net'

/** Cuts every third connection when the request is through, and lets no answer of it back. */
export async function startCuttingProxy(target: URL) {
  let connections = 0
  let cut = 0
  const proxy = createServer((incoming) => {
    connections += 1
    const isCut = connections % 3 === 0
    const outgoing = connect(Number(target.port), target.hostname)
    incoming.pipe(outgoing)
    for (const socket of [incoming, outgoing]) socket.on('error', () => undefined)
    incoming.on('close', () => outgoing.destroy())
    outgoing.on('close', () => incoming.destroy())
    if (!isCut) return void outgoing.pipe(incoming)
    // The service has answered, so it has stored; the client learns nothing of it.
    outgoing.once('data', () => {
      cut += 1
      incoming.resetAndDestroy()
    })
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  return { url, cut: () => cut, stop: () => proxy.close() }
}
