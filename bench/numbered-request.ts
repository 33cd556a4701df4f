// A request as bytes that are built once; only the digits of its number are written anew each time it is sent.
import { NUMBER_MARK, type NumberPlan, type RequestPlan } from './load-plan.ts'

const DIGIT_ZERO = 48
const NUMBERS_MAX = 10 ** NUMBER_MARK.length

/** Each connection has its own: one request is in flight, so the bytes are free again when its answer is complete. */
export class NumberedRequest {
  readonly bytes: Buffer
  readonly #marks: readonly number[]

  constructor(request: RequestPlan) {
    this.bytes = Buffer.from(requestText(request))
    this.#marks = positionsOf(this.bytes, NUMBER_MARK)
  }

  setNumber(number: number): void {
    for (const mark of this.#marks) {
      let rest = number
      for (let at = mark + NUMBER_MARK.length - 1; at >= mark; at -= 1) {
        const quotient = Math.floor(rest / 10)
        this.bytes[at] = DIGIT_ZERO + rest - quotient * 10
        rest = quotient
      }
    }
  }
}

/** The number of the n-th request. */
export function numberOf(plan: NumberPlan, n: number): number {
  if (plan.kind === 'rising') {
    if (plan.from + n >= NUMBERS_MAX) throw new Error('the numbers of the requests are used up')
    return plan.from + n
  }
  // A multiplicative hash (Knuth): scattered, so that a cache of the last few devices does not help, and repeatable.
  return plan.from + ((Math.imul(n, 0x9e3779b1) >>> 0) % plan.count)
}

function requestText({ method, path, headers, body }: RequestPlan): string {
  const length = body === '' ? [] : [`Content-Length: ${Buffer.byteLength(body)}`, 'Content-Type: application/json']
  const others = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return [`${method} ${path} HTTP/1.1`, 'Host: 127.0.0.1', ...length, ...others, '', body].join('\r\n')
}

function positionsOf(bytes: Buffer, text: string): readonly number[] {
  const positions: number[] = []
  for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + text.length)) positions.push(at)
  return positions
}
