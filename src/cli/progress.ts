// How far a long command has come: a bar where somebody looks at a terminal, a line now and then where nobody does.
import type { WriteStream } from 'node:tty'

export interface Progress {
  /** @returns what is called with the number of things that were done since the last call */
  readonly start: (total: number) => (count: number) => void
  readonly end: () => void
}

const BAR_CHARACTERS = 30
const BAR_MS = 100
const LINE_MS = 5_000

type Output = Pick<WriteStream, 'write'> & { readonly isTTY?: boolean }

export function createProgress(output: Output): Progress {
  const isTerminal = output.isTTY === true
  let [total, done, toldAt] = [0, 0, 0]
  const tell = () => {
    const share = total === 0 ? 1 : Math.min(1, done / total)
    const figures = `${Math.floor(share * 100)} %, ${done} of ${total}`
    const filled = Math.round(share * BAR_CHARACTERS)
    const bar = `[${'#'.repeat(filled)}${'-'.repeat(BAR_CHARACTERS - filled)}]`
    output.write(isTerminal ? `\r${bar} ${figures}` : `${figures}\n`)
  }
  return {
    start: (all) => {
      total = all
      toldAt = performance.now()
      return (count) => {
        done += count
        if (performance.now() - toldAt < (isTerminal ? BAR_MS : LINE_MS)) return
        toldAt = performance.now()
        tell()
      }
    },
    end: () => {
      if (!isTerminal) return
      tell()
      output.write('\n')
    },
  }
}
