// Whether somebody waits for an answer still: what is made elsewhere is given up with whoever asked for it.
import type { ServerResponse } from 'node:http'
import { Failure } from './failure.ts'

/** Aborted once the connection of an answer is closed, with a failure that nobody gets. */
export function untilGone(answer: ServerResponse): AbortSignal {
  const leaving = new AbortController()
  answer.once('close', () => leaving.abort(new Failure('unavailable', 'Nobody waits for this any more')))
  return leaving.signal
}
