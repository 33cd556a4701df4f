// One keep-alive connection of the load generator: sends a request, waits for the whole answer, asks for the next.
import { connect, type Socket } from 'node:net'
import type { LoadPlan } from './load-plan.ts'
import type { LoadTally } from './load-tally.ts'
import { NumberedRequest, numberOf } from './numbered-request.ts'
import { ResponseReader } from './response-reader.ts'

// An answer that is longer comes in pieces; there may be thousands of connections.
const READ_BUFFER_BYTES = 16_384

/** What says when the requests are sent. */
export interface Feed {
  /**
   * Called with a connection that is free.
   * @returns the time, by performance.now(), from which its next request counts; null to keep the connection until one
   * is due, and then to call its `send`
   */
  readonly next: (free: LoadConnection) => number | null
}

/** A closed loop: a free connection sends at once. */
export const CLOSED_LOOP: Feed = { next: () => performance.now() }

export class LoadConnection {
  /** Fulfilled when it can send, or never will. */
  readonly connected: Promise<void>
  /** Fulfilled when the socket is closed, in whatever way. */
  readonly closed: Promise<void>
  readonly #plan: LoadPlan
  readonly #tally: LoadTally
  readonly #feed: Feed
  readonly #request: NumberedRequest
  readonly #reader = new ResponseReader()
  readonly #socket: Socket
  #dueAt = 0
  #sentAt = 0
  #inFlight = false
  #stopping = false

  constructor(plan: LoadPlan, tally: LoadTally, feed: Feed) {
    this.#plan = plan
    this.#tally = tally
    this.#feed = feed
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
    this.connected = new Promise((resolve) => {
      this.#socket.once('connect', resolve)
      this.#socket.once('close', resolve)
    })
    this.#socket.once('connect', () => this.#proceed())
    this.#socket.once('error', (error) => this.#breakOff(error.message))
  }

  /** How long its request has been under way; 0 where there is none. @param now by performance.now() */
  waited(now: number): number {
    return this.#inFlight ? now - this.#sentAt : 0
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

  /** Only while it is free. @param from when the request was due, by performance.now() */
  send(from: number): void {
    if (this.#stopping) return
    this.#request.setNumber(numberOf(this.#plan.numbers, this.#tally.issue()))
    this.#inFlight = true
    this.#dueAt = from
    this.#sentAt = performance.now()
    this.#socket.write(this.#request.bytes)
  }

  #proceed(): void {
    if (this.#stopping) return void this.#socket.destroy()
    const from = this.#feed.next(this)
    if (from !== null) this.send(from)
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
    const now = performance.now()
    this.#tally.answer({ fromDue: now - this.#dueAt, fromSent: now - this.#sentAt }, status, bytes, bodyAt, length)
    this.#proceed()
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
