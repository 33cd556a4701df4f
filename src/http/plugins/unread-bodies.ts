// Handles the rest of a body after its request was answered: some of it is read, then the connection is cut.
import type { IncomingMessage } from 'node:http'

/** Read at full speed, so that a client that sends an ordinary body to its end gets the response. */
const READ_ON_BYTES = 2 ** 20
/** After this time at the latest, or after more bytes than above, nothing more is read. */
const READ_ON_MS = 30_000
/** The client then has this long to read the response, which an immediate cut could lose. */
const ANSWER_READ_MS = 1_000
const LOOK_MS = 20

/**
 * Node would read everything that arrives, for as long as it arrives: one sender could block the thread for all others.
 */
export function endUnreadBody(request: IncomingMessage): void {
  request.resume()
  const { socket } = request
  if (socket.destroyed) return
  const mostBytes = socket.bytesRead + READ_ON_BYTES
  const endsAt = performance.now() + READ_ON_MS
  const looking = setInterval(() => {
    if (request.complete) return end()
    if (socket.bytesRead <= mostBytes && performance.now() < endsAt) return
    end()
    socket.pause()
    setTimeout(() => socket.destroy(), ANSWER_READ_MS).unref()
  }, LOOK_MS).unref()
  const end = () => {
    clearInterval(looking)
    socket.off('close', end)
  }
  socket.once('close', end)
}
