// CPU time and memory of processes, read from /proc (Linux): what each part of a request costs, and where.
import { readFileSync, readdirSync } from 'node:fs'

// USER_HZ: the kernel reports process times to user space in hundredths of a second on every architecture.
const MS_PER_TICK = 10

/** CPU time since its start of a process itself, all its threads, and the children that it has waited for. */
function cpuMsOf(pid: number): number {
  const fields = statFields(pid)
  // utime, stime, cutime, cstime are fields 14 to 17 of proc(5); the list starts at field 3.
  return fields === null ? 0 : sum(fields.slice(11, 15).map(Number)) * MS_PER_TICK
}

/** The same of a process and its living children: a PostgreSQL postmaster and its backends. */
export function cpuMsOfFamily(pid: number): number {
  return sum([pid, ...childrenOf(pid)].map(cpuMsOf))
}

/** The same of a program and of its workers, where it has some. */
export const cpuMsOfServer = (pid: number): number => sum([pid, ...workersOf(pid)].map(cpuMsOf))

/** CPU time that the whole machine was busy since it started. */
export function cpuMsOfMachine(): number {
  const [user = 0, nice = 0, system = 0, , , irq = 0, softIrq = 0] =
    readFileSync('/proc/stat', 'utf8').split('\n')[0]?.split(/ +/).slice(1).map(Number) ?? []
  return (user + nice + system + irq + softIrq) * MS_PER_TICK
}

/** Memory of a process in RAM, now and at its highest since it started, in megabytes (10^6 bytes). */
export function memoryMbOf(pid: number): { readonly now: number; readonly peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const megabytes = (name: string) => (Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1] ?? 0) * 1024) / 1e6
  return { now: megabytes('VmRSS'), peak: megabytes('VmHWM') }
}

/** The process beside a program that makes its reports; undefined while there is none. */
export const reportProcessOf = (pid: number): number | undefined => childThatRuns(pid, 'report-worker')

/** The one that draws its statements. */
export const drawProcessOf = (pid: number): number | undefined => childThatRuns(pid, 'pdf-worker')

/** Those that find out how files are to be read. */
export const detectionProcessesOf = (pid: number): readonly number[] => childrenThatRun(pid, 'detection-worker')

/** Those that work on imports. */
export const importProcessesOf = (pid: number): readonly number[] => childrenThatRun(pid, 'import-worker')

/** Those that answer clients, where the program itself does not. */
export const workersOf = (pid: number): readonly number[] => childrenThatRun(pid, 'cluster-worker')

const childThatRuns = (pid: number, program: string): number | undefined => childrenThatRun(pid, program)[0]

const childrenThatRun = (pid: number, program: string): readonly number[] =>
  childrenOf(pid).filter((child) => commandOf(child).includes(program))

/** Empty once the process is gone. */
function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}

/** Files, sockets and pipes that a process has open. */
export const openFilesOf = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length

function childrenOf(parent: number): readonly number[] {
  const pids = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
  return pids.filter((pid) => Number(statFields(pid)?.[1]) === parent)
}

/** The fields of /proc/PID/stat after the name, which may itself hold spaces; null once the process is gone. */
function statFields(pid: number): readonly string[] | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  } catch {
    return null
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)
