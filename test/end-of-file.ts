// What helpers have to end once the tests of a file are through, where several files share a process too.
import { after } from 'node:test'

type Work = () => Promise<unknown> | undefined

const ofFile: Work[] = []
const ofProcess: Work[] = []
let isShared = false

/** Called at the end of each file, in the order of registration; there may be nothing to do. */
export const atEndOfFile = (work: Work): void => void ofFile.push(work)

/** Called once, after the last file of the process. */
export const atEndOfProcess = (work: Work): void => void ofProcess.push(work)

export async function endFile(): Promise<void> {
  for (const work of ofFile) await work()
}

export async function endProcess(): Promise<void> {
  for (const work of ofProcess) await work()
}

/** Says that files follow each other, and that whoever calls this calls endFile and endProcess. */
export const shareProcess = (): void => void (isShared = true)

// Of the root suite, which is over each time that no test is left; a file that has the process to itself ends with it.
after(async () => {
  if (isShared) return
  await endFile()
  await endProcess()
})
