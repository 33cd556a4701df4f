// One keep-alive connection of the load generator: sends a request, waits for the whole answer, sends the next.
import { connect, type Socket } from 'node:net'
import type { LoadPlan } from './load-plan.ts'
import type { LoadTally } from './load-tally.ts'
import { NumberedRequest, numberOf } from './numbered-request.ts'
import { ResponseReader } from './response-reader.ts'

const READ_BUFFER_BYTES = 65_536

export class LoadConnection {
  /** Fulfilled when the socket is closed, in whatever way. */
  readonly closed: Promise<void>
  readonly #plan: LoadPlan
  readonly #tally: LoadTally
  readonly #request: NumberedRequest
  readonly #reader = new ResponseReader()
  readonly #socket: Socket
  #startedAt = 0
  #inFlight = false
  #stopping = false

  constructor(plan: LoadPlan, tally: LoadTally) {
    this.#plan = plan
    this.#tally = tally
    this.#request = new NumberedRequest(plan.request)
    // One buffer for all reads (`onread`) spares an allocation and the stream machinery for every answer.
    const onread = {
      buffer: Buffer.alloc(READ_BUFFER_BYTES),
      callback: (length: number, bytes: Uint8Array) => this.#receive(bytes as Buffer, length),
    }
    this.#socket = connect({ host: '127.0.0.1', port: plan.port, noDelay: true, onread })
    this.closed = new Promise((resolve) =>
      this.#socket.once('close', () => {
        this.#noteLoss()
        resolve()
      }),
    )
    this.#socket.once('connect', () => this.#send())
    this.#socket.once('error', (error) => this.#breakOff(error.message))
  }

  /** Sends nothing more; the answer under way is awaited. */
  stop(): void {
    this.#stopping = true
    if (!this.#inFlight) this.#socket.destroy()
  }

  /** Waits no longer. */
  abandon(): void {
    if (this.#inFlight) this.#breakOff('no answer in time')
    this.#socket.destroy()
  }

  #send(): void {
    if (this.#stopping) {
      this.#socket.destroy()
      return
    }
    this.#request.setNumber(numberOf(this.#plan.numbers, this.#tally.issue()))
    this.#inFlight = true
    this.#startedAt = performance.now()
    this.#socket.write(this.#request.bytes)
  }

  #receive(bytes: Buffer, length: number): boolean {
    try {
      if (this.#reader.read(bytes, length)) this.#finish(bytes, length)
    } catch (error) {
      this.#breakOff(error instanceof Error ? error.message : String(error))
      this.#socket.destroy()
    }
    return true
  }

  #finish(bytes: Buffer, length: number): void {
    this.#inFlight = false
    const { status, bodyAt } = this.#reader
    this.#tally.answer(performance.now() - this.#startedAt, status, bytes, bodyAt, length)
    this.#send()
  }

  /** A server that ends a connection while the load runs has failed a request, or will fail the next. */
  #noteLoss(): void {
    if (!this.#stopping) this.#breakOff('the server closed the connection')
  }

  #breakOff(why: string): void {
    if (!this.#stopping || this.#inFlight) this.#tally.breakOff(why)
    this.#stopping = true
    this.#inFlight = false
  }
}
