// Detects client disconnects, so that work in other processes is aborted with the request.
import type { ServerResponse } from 'node:http'
import { ApiError } from '../../contract/errors.ts'
import { SERVICE_MESSAGES } from '../messages.ts'

/** Aborted once the connection of the response is closed, or if it already is; the error reaches no client. */
export function abortOnDisconnect(answer: ServerResponse): AbortSignal {
  const leaving = new AbortController()
  const leave = () => leaving.abort(new ApiError('unavailable', SERVICE_MESSAGES.client_gone()))
  if (answer.closed) leave()
  else answer.once('close', leave)
  return leaving.signal
}
