// Runs most test files in a few processes, each file as a suite of its own, one after the other: to load and compile
// the service, its datasets and its matcher took more time than many a file's tests.
import { after, describe } from 'node:test'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { ALONE, FAULTS } from './alone.ts'
import { endFile, endProcess, shareProcess } from './end-of-file.ts'

const ROOT = join(import.meta.dirname, '..')
/** `npm run test:units` runs the other files of src. */
const FILES = ['src/{http,observability,postgres}/**/*.test.ts', 'test/**/*.test.ts']
/** As long as the runner gives a file that has a process of its own. */
const FILE_MS_MAX = 480_000

/** Files of the console that start a browser are dealt out among processes of their own, which start one each. */
const isOfBrowser = (file: string): boolean => file.startsWith('test/console/')

/** Every file that no other process runs, the same at each call. */
function filesTogether(): readonly string[] {
  return globSync(FILES, { cwd: ROOT })
    .filter((file) => !(file in ALONE) && !FAULTS.includes(file))
    .toSorted()
}

/** @returns every nth file, beginning with the file at `from` */
const share = (files: readonly string[], from: number, of: number): readonly string[] =>
  files.filter((_, at) => at % of === from - 1)

/** @param group from 1 on */
export const runGroup = (group: number, of: number): Promise<void> =>
  run(
    share(
      filesTogether().filter((file) => !isOfBrowser(file)),
      group,
      of,
    ),
  )

/** @param group from 1 on */
export const runBrowserGroup = (group: number, of: number): Promise<void> =>
  run(share(filesTogether().filter(isOfBrowser), group, of))

async function run(files: readonly string[]): Promise<void> {
  shareProcess()
  // A test that waits for a process alone would else end this one, and leave out what follows.
  const waiting = setInterval(() => undefined, FILE_MS_MAX)
  for (const file of files) {
    await describe(file, { timeout: FILE_MS_MAX }, async () => {
      after(endFile)
      await import(join(ROOT, file))
    })
  }
  await endProcess()
  clearInterval(waiting)
}
