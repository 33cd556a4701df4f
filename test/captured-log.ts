// A log whose lines a test can read.
import { Writable } from 'node:stream'
import pino, { type Logger } from 'pino'

export type LogLine = Readonly<Record<string, unknown>>

export interface KeptLog {
  readonly logger: Logger
  readonly lines: readonly LogLine[]
}

export function keepLog(level: 'info' | 'warn'): KeptLog {
  const lines: LogLine[] = []
  const stream = new Writable({
    write: (chunk: Buffer, _, done) => {
      lines.push(JSON.parse(chunk.toString()) as LogLine)
      done()
    },
  })
  return { logger: pino({ level }, stream), lines }
}
