// `cradle serve`: starts the service, prints how to use it, and stops it cleanly.
import { flushCompileCache } from 'node:module'
import { SHUTDOWN_MS_MAX, type Config } from '../config.ts'
import { EXAMPLE_ORDER } from '../http/schemas/examples.ts'
import { start, type RunningService } from '../main.ts'
import { print } from './context.ts'

const report = (sentence: string): void => void process.stderr.write(`${sentence}\n`)
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

export async function serve(config: Config): Promise<void> {
  const startedAt = performance.now()
  // Until the service is ready, there is nothing to shut down in order, however long it waits for a database.
  for (const signal of SIGNALS) process.on(signal, leave)
  // A single process does not load the code for several workers.
  const serving = config.workers === 1 ? undefined : (await import('../cluster-primary.ts')).serveByWorkers
  const running = await start(config, report, end, serving)
  for (const signal of SIGNALS) process.off(signal, leave)
  stopOnSignal(running)
  // The process ends by a signal, on which Node does not write its compile cache.
  flushCompileCache()
  welcome(running, config, (performance.now() - startedAt) / 1000)
}

function welcome(
  { address, metricsAddress, referenceData, demoKey }: RunningService,
  config: Config,
  seconds: number,
): void {
  print(
    `Cradle is ready at ${address} after ${seconds.toFixed(1)} s, with ${referenceData.models.size} device models ` +
      `(release ${referenceData.release}).`,
  )
  const data = config.databaseUrl === null ? config.dataDirectory : 'the server of DATABASE_URL'
  print(`Console: ${address}/ · Reference: ${address}/docs · Data: ${data}`)
  if (metricsAddress !== null) print(`Metrics: ${metricsAddress}`)
  if (demoKey === null) {
    print('Keys: npm run -s cradle -- keys create --account demo')
    return
  }
  print(`\nThe account "demo" is new. Its key is shown this once:\n\n  ${demoKey}\n\nTry it:\n`)
  print(
    `curl -s ${address}/api/customer-orders -H 'X-API-Key: ${demoKey}' ` +
      `-H 'Content-Type: application/json' -d '${JSON.stringify(EXAMPLE_ORDER)}'\n`,
  )
}

/** Ctrl-C signals both npm and the service, and npm signals the service again: these count as one request to stop. */
const SAME_WISH_MS = 1_000

/**
 * The first signal stops the service in order and answers accepted requests. A second signal or a slow stop ends it
 * immediately.
 */
function stopOnSignal(running: RunningService): void {
  let wishedAt: number | null = null
  const stop = (signal: NodeJS.Signals) => {
    if (wishedAt !== null) {
      if (performance.now() - wishedAt > SAME_WISH_MS) end(new Error(`Told ${signal} again, it ends at once`))
      return
    }
    wishedAt = performance.now()
    report(`Stopping on ${signal} …`)
    setTimeout(() => end(new Error(`Did not stop within ${SHUTDOWN_MS_MAX / 1000} s`)), SHUTDOWN_MS_MAX).unref()
    running.stop().then(() => {
      report('Stopped.')
      endBy(signal)
    }, end)
  }
  for (const signal of SIGNALS) process.on(signal, stop)
}

function leave(): never {
  process.exit(0)
}

function end(error: Error): never {
  report(`cradle: ${error.message}`)
  endBy('SIGKILL')
}

/**
 * Ends the process by the default action of the signal. `process.exit` may never return after heavy work: it waits for
 * code that is being compiled, which may in turn wait for it (nodejs/node#54918). A stop must not hang because of that.
 */
function endBy(signal: NodeJS.Signals): never {
  for (const listened of SIGNALS) process.removeAllListeners(listened)
  process.kill(process.pid, signal)
  // Only reached by the first process of a container, which a signal sent by itself does not end.
  process.exit(signal === 'SIGKILL' ? 1 : 0)
}
