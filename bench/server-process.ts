// A server that the benchmark starts as its own child, from the command line, and stops again.
import { spawn, type ChildProcess } from 'node:child_process'

const START_MS_MAX = 60_000
const STOP_MS_MAX = 20_000
// Enough of what a server printed to say why it did not start.
const OUTPUT_CHARACTERS_MAX = 20_000

export interface ServerProcess {
  readonly pid: number
  readonly port: number
  /** The part of its output that `wanted` matched, group by group. */
  readonly found: readonly string[]
  readonly stop: () => Promise<void>
}

/** Ready once the server has printed its address and everything else in `wanted`; throws with its output if not. */
export async function startServer(
  command: readonly string[],
  env: Readonly<Record<string, string>>,
  wanted: readonly RegExp[] = [],
): Promise<ServerProcess> {
  const child = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } })
  const stop = () => stopChild(child)
  try {
    const [port, ...found] = await readUntil(child, [/http:\/\/127\.0\.0\.1:(\d+)(?=\D)/, ...wanted])
    return { pid: child.pid ?? 0, port: Number(port), found, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

function readUntil(child: ChildProcess, wanted: readonly RegExp[]): Promise<readonly string[]> {
  return new Promise((resolve, reject) => {
    let output = ''
    const give = (why: string) => reject(new Error(`${child.spawnargs.join(' ')}: ${why}\n${output}`))
    const timer = setTimeout(() => give(`not ready within ${START_MS_MAX} ms`), START_MS_MAX)
    const read = (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-OUTPUT_CHARACTERS_MAX)
      const found = wanted.flatMap((pattern) => pattern.exec(output)?.[1] ?? [])
      if (found.length < wanted.length) return
      clearTimeout(timer)
      resolve(found)
    }
    child.stdout?.on('data', read)
    child.stderr?.on('data', read)
    child.once('exit', (code) => give(`ended with ${code}`))
  })
}

/** Asks it to stop, and kills it only when it does not. */
function stopChild(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve()
    const kill = setTimeout(() => child.kill('SIGKILL'), STOP_MS_MAX)
    child.once('exit', () => {
      clearTimeout(kill)
      resolve()
    })
    child.kill('SIGTERM')
  })
}
