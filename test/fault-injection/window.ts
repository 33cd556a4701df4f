// What requests were answered in a stretch of time: how often what, and how fast.
import type { Answer } from '../raw-http.ts'

export interface Window {
  /** By status; 0 for no answer at all. */
  readonly statuses: Record<number, number>
  /** Milliseconds of each exchange that had an answer. */
  readonly times: number[]
  /** Why there was no answer, by the error's code, and how often. */
  readonly errors: Record<string, number>
  /** By the code of the answer, of those that were told to try again. */
  readonly codes: Record<string, number>
}

export const newWindow = (): Window => ({ statuses: {}, times: [], errors: {}, codes: {} })

export function addAnswer({ statuses, times, codes }: Window, { status, text }: Answer, milliseconds: number): void {
  times.push(milliseconds)
  statuses[status] = (statuses[status] ?? 0) + 1
  if (status !== 503) return
  const { code } = JSON.parse(text) as { readonly code: string }
  codes[code] = (codes[code] ?? 0) + 1
}

export function addSilence({ statuses, errors }: Window, error: NodeJS.ErrnoException): void {
  const { code = error.message } = error
  statuses[0] = (statuses[0] ?? 0) + 1
  errors[code] = (errors[code] ?? 0) + 1
}
