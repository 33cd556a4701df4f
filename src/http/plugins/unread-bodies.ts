// What still comes of a body after its request was answered: some of it is read, and then the connection is cut.
import type { IncomingMessage } from 'node:http'

/** Read at full speed, so that whoever sends an ordinary body to its end gets the answer. */
const READ_ON_BYTES = 2 ** 20
/** After more than that, and after so long at the latest, nothing is read any more. */
const READ_ON_MS = 30_000
/** Then the sender has so long to read the answer, which a connection cut at once may lose. */
const ANSWER_READ_MS = 1_000
const LOOK_MS = 20

/** Node reads all that comes, for as long as it comes, whoever sends it: one sender took the thread from all others. */
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
