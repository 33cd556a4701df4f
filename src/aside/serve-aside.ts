// The other side: jobs that come from the service, each done piece by piece for as long as somebody takes them.
import { readdirSync } from 'node:fs'
import { setPriority } from 'node:os'
import type { FromAside, ToAside } from './protocol.ts'

/** Whoever answers clients goes before: of two that want the same core, that one gets three quarters of it. */
const NICE = 5

interface Job<Piece> {
  readonly pieces: AsyncGenerator<Piece>
  readonly ending: AbortController
}

/** Ends with the service, however that ends: there is nothing here that a transaction does not undo. */
export function serveAside<Settings, Asked, Piece>(
  open: (settings: Settings) => (job: Asked, signal: AbortSignal) => AsyncGenerator<Piece>,
): void {
  const jobs = new Map<number, Job<Piece>>()
  let answer: ReturnType<typeof open> | undefined
  const send = (message: FromAside<Piece>): void => void process.send!(message, () => undefined)
  const tellNext = async (id: number): Promise<void> => {
    try {
      const next = await jobs.get(id)!.pieces.next()
      if (!next.done) return send({ kind: 'piece', id, piece: next.value })
      send({ kind: 'done', id })
    } catch (error) {
      send({ kind: 'fault', id, error: error as Error })
    }
    jobs.delete(id)
  }
  process.on('message', (message: ToAside<Settings, Asked>) => {
    if (message.kind === 'open') answer = open(message.settings)
    if (message.kind === 'begin') {
      const ending = new AbortController()
      jobs.set(message.id, { pieces: answer!(message.job, ending.signal), ending })
    }
    if (message.kind === 'begin' || message.kind === 'next') void tellNext(message.id)
    if (message.kind === 'end') {
      const job = jobs.get(message.id)
      jobs.delete(message.id)
      job?.ending.abort()
      void job?.pieces.return(undefined).catch(() => undefined)
    }
  })
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
  // A terminal tells all processes of a program; the service says when this one ends.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
  giveWay()
}

/** On Linux each thread has a priority of its own. */
function giveWay(): void {
  const threads = process.platform === 'linux' ? readdirSync('/proc/self/task').map(Number) : [process.pid]
  for (const thread of threads) setPriority(thread, NICE)
}
