// Both ends of a channel on which a worker sends jobs to the primary and receives the results in pieces.
import type { ApiError } from '../contract/errors.ts'

/** The id identifies a running job. A piece is produced only after the previous one was taken. */
export type JobMessage<Job> =
  | { readonly kind: 'begin'; readonly id: number; readonly job: Job }
  | { readonly kind: 'next'; readonly id: number }
  | { readonly kind: 'end'; readonly id: number }

export type JobAnswer<Piece> =
  | { readonly kind: 'piece'; readonly id: number; readonly piece: Piece }
  | { readonly kind: 'done'; readonly id: number }
  | ({ readonly kind: 'fault'; readonly id: number; readonly error: Error } & ErrorFacts)

/** What an error loses between processes. */
export interface ErrorFacts {
  readonly name: string
  /** Null for any error that is not an ApiError. */
  readonly reason: ApiError['reason'] | null
}

export interface Jobs<Job, Piece> {
  /**
   * The result of a job, in pieces.
   * @param signal ends the job
   */
  readonly ask: (job: Job, signal: AbortSignal) => AsyncGenerator<Piece>
}

/**
 * The sending end. It ends with the primary.
 * @param errorOf converts the error of the other end to the error thrown here; only its text was sent
 */
export function askJobs<Job, Piece>(
  send: (message: JobMessage<Job>) => void,
  errorOf: (error: Error, facts: ErrorFacts) => Error = (error) => error,
) {
  const waiting = new Map<number, PromiseWithResolvers<JobAnswer<Piece>>>()
  let last = 0
  const exchange = async (message: JobMessage<Job>, signal: AbortSignal) => {
    signal.throwIfAborted()
    const answer = Promise.withResolvers<JobAnswer<Piece>>()
    const leave = () => answer.reject(signal.reason)
    waiting.set(message.id, answer)
    signal.addEventListener('abort', leave)
    send(message)
    try {
      return await answer.promise
    } finally {
      waiting.delete(message.id)
      signal.removeEventListener('abort', leave)
    }
  }
  async function* ask(job: Job, signal: AbortSignal): AsyncGenerator<Piece> {
    const id = (last += 1)
    try {
      let answer = await exchange({ kind: 'begin', id, job }, signal)
      while (answer.kind === 'piece') {
        yield answer.piece
        answer = await exchange({ kind: 'next', id }, signal)
      }
      if (answer.kind === 'fault') throw errorOf(answer.error, answer)
    } finally {
      send({ kind: 'end', id })
    }
  }
  return {
    ask,
    receive: (answer: JobAnswer<Piece>) => waiting.get(answer.id)?.resolve(answer),
  }
}

interface UnderWay<Piece> {
  readonly pieces: AsyncGenerator<Piece>
  readonly ending: AbortController
}

/** The answering end. */
export function answerJobs<Job, Piece>(
  answer: (job: Job, signal: AbortSignal) => AsyncGenerator<Piece>,
  send: (message: JobAnswer<Piece>) => void,
) {
  const jobs = new Map<number, UnderWay<Piece>>()
  const tellNext = async (id: number): Promise<void> => {
    try {
      const next = await jobs.get(id)!.pieces.next()
      if (!next.done) return send({ kind: 'piece', id, piece: next.value })
      send({ kind: 'done', id })
    } catch (error) {
      const { name, reason = null } = error as Error & Partial<ErrorFacts>
      send({ kind: 'fault', id, error: error as Error, name, reason })
    }
    jobs.delete(id)
  }
  const end = (id: number): void => {
    const job = jobs.get(id)
    jobs.delete(id)
    job?.ending.abort()
    void job?.pieces.return(undefined).catch(() => undefined)
  }
  return {
    receive: (message: JobMessage<Job>): void => {
      if (message.kind === 'begin') {
        const ending = new AbortController()
        jobs.set(message.id, { pieces: answer(message.job, ending.signal), ending })
      }
      if (message.kind === 'end') end(message.id)
      else void tellNext(message.id)
    },
    /** Ends all jobs, because the worker that sent them has ended. */
    end: () => {
      for (const id of [...jobs.keys()]) end(id)
    },
  }
}
