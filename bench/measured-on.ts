// What a published figure is of: the machine, and the code that ran there.
import { execFileSync } from 'node:child_process'
import { arch, cpus, release, totalmem, type } from 'node:os'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')
/** What is measured, and by what; figures that are written on the way are no change of it. */
const CODE = ['src', 'sql', 'data', 'console', 'bin', 'bench/*.ts', 'scripts', 'test', 'package-lock.json']

const git = (...words: readonly string[]): string =>
  execFileSync('git', words, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()

/** The commit, and whether the code was changed since; a copy without its history says so. */
function code(): string {
  try {
    const isChanged = git('status', '--porcelain', '--', ...CODE) !== ''
    return `commit ${git('rev-parse', '--short=10', 'HEAD')}${isChanged ? ', changed since' : ''}`
  } catch {
    return 'of a copy without commits'
  }
}

/** When this began: later the commit may be another one. */
export const MEASURED_ON =
  `${cpus()[0]?.model.trim()}, ${cpus().length} cores, ${(totalmem() / 1e9).toFixed(0)} GB, ${type()} ${release()} ` +
  `${arch()}, Node ${process.version}, ${code()}`
