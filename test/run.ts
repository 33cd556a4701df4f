// Runs the tests of `npm test` that start services: most files together in the processes of test/groups, the others in
// one each. With `faults`, those of `npm run test:faults`, one process each. `node --test` would start the files by the
// alphabet, and end with a long one alone.
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { ALONE, FAULTS } from './alone.ts'
import { globalSetup, globalTeardown } from './test-postgres.ts'

const ROOT = join(import.meta.dirname, '..')
/** More than a machine of two cores has: many a test waits. */
const AT_ONCE = 4
/** Of a process, which may run forty files; each file has a limit of its own. */
const PROCESS_MS_MAX = 1_800_000

const files =
  process.argv[2] === 'faults'
    ? FAULTS
    : [...globSync('test/groups/*.ts', { cwd: ROOT }).toSorted(), ...Object.keys(ALONE)]
await globalSetup()
const tests = run({
  files: files.map((file) => join(ROOT, file)),
  concurrency: AT_ONCE,
  timeout: PROCESS_MS_MAX,
}).on('test:fail', () => (process.exitCode = 1))
tests.compose(spec).pipe(process.stdout)
await once(tests, 'end')
await globalTeardown()
