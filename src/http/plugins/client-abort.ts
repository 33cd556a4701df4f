// Whether somebody waits for an answer still: what is made elsewhere is given up with whoever asked for it.
import type { ServerResponse } from 'node:http'
import { ApiError } from '../../contract/errors.ts'

/** Aborted once the connection of an answer is closed, or has been before, with a failure that nobody gets. */
export function abortOnDisconnect(answer: ServerResponse): AbortSignal {
  const leaving = new AbortController()
  const leave = () => leaving.abort(new ApiError('unavailable', 'Nobody waits for this any more'))
  if (answer.closed) leave()
  else answer.once('close', leave)
  return leaving.signal
}
