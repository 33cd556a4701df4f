// How a request is built and sent: its parts from one input, attempts with a time limit, pauses between them.
import { ConnectionError, CradleError, TimeoutError, errorOf } from './errors.ts'
import { VERSION } from './generated/operations.ts'
import { withProgress, type Progress, type Upload } from './upload.ts'

export interface Settings {
  /** Where the service is, as `https://cradle.example.com`; a path before `/api` is kept. */
  readonly url: string
  readonly key?: string
  /** How often a request is sent again, if that is safe: 2. */
  readonly retries?: number
  /** For each attempt: 30,000. Of a file, for each part; in browsers, a file has no limit of its own. */
  readonly timeoutMs?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly fetch?: typeof fetch
}

/** For one request, in place of the settings. */
export interface RequestOptions extends Pick<Settings, 'retries' | 'timeoutMs' | 'headers'> {
  readonly signal?: AbortSignal
  /** For files: called when a part of the file was taken to be sent. */
  readonly onProgress?: (progress: Progress) => void
}

export interface Received<Data> {
  readonly data: Data
  /** With status and headers; of JSON, the body is read already. */
  readonly response: Response
  readonly requestId: string | undefined
  readonly attempts: number
}

export interface Operation {
  readonly method: string
  readonly path: string
  /** What the contract says of it: whether it may be sent `again`, and what its body and its answer are. */
  readonly marks: ReadonlyMap<string, string>
}

export type Input = Readonly<Record<string, unknown>>

const TIMEOUT_MS = 30_000
const PAUSE_MS_FIRST = 500
const PAUSE_MS_MAX = 8_000
const RETRY_AFTER_SECONDS_MAX = 60

/** Browsers set the name of the program themselves, and stream no body to a server of HTTP/1.1. */
const isServer =
  (globalThis as { readonly process?: { readonly versions?: { readonly node?: string } } }).process?.versions?.node !==
  undefined

/**
 * @throws CradleError if there is no answer of success
 * @throws the reason of the signal if it is aborted
 */
export async function send<Data>(
  settings: Settings,
  operation: Operation,
  input: Input,
  options: RequestOptions,
): Promise<Received<Data>> {
  const url = urlOf(settings.url, operation, input)
  const headers = headersOf(settings, operation, input, options)
  const { retries = settings.retries ?? 2, signal } = options
  for (let attempts = 1; ; attempts += 1) {
    signal?.throwIfAborted()
    try {
      return await attempt<Data>(settings, operation, url, headers, input['body'], options, attempts)
    } catch (error) {
      if (!(error instanceof CradleError) || !error.retryable || attempts > retries) throw error
      const { retryAfterSeconds = 0 } = error
      if (retryAfterSeconds > RETRY_AFTER_SECONDS_MAX) throw error
      await pause(pauseMs(error.retryAfterSeconds, attempts), signal)
    }
  }
}

function urlOf(base: string, { path, marks }: Operation, input: Input): URL {
  const inPath = new Set(['body', 'if_match'])
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    inPath.add(name)
    const value = input[name] as string | number | undefined
    // A URL has no way to write an id that is a dot or two: it would be another path.
    if (value === undefined || /^\.{0,2}$/.test(`${value}`)) throw new TypeError(`${name} is missing, or is no id`)
    return encodeURIComponent(value)
  })
  if ((marks.has('json') || marks.has('file')) && input['body'] === undefined) throw new TypeError('body is missing')
  const url = new URL(base.replace(/\/+$/, '') + filled)
  for (const [name, value] of Object.entries(input)) {
    if (inPath.has(name)) continue
    for (const one of [value].flat())
      if (one !== undefined && one !== null) url.searchParams.append(name, `${one as string}`)
  }
  return url
}

function headersOf(settings: Settings, { marks }: Operation, input: Input, options: RequestOptions): Headers {
  const headers = new Headers({ ...settings.headers, ...options.headers })
  if (settings.key !== undefined) headers.set('x-api-key', settings.key)
  if (isServer) headers.set('user-agent', `cradle-client-typescript/${VERSION}`)
  if (typeof input['if_match'] === 'string') headers.set('if-match', input['if_match'])
  const type = marks.has('json') ? 'application/json' : marks.get('file')
  if (type !== undefined) headers.set('content-type', type)
  return headers
}

async function attempt<Data>(
  settings: Settings,
  operation: Operation,
  url: URL,
  headers: Headers,
  content: unknown,
  options: RequestOptions,
  attempts: number,
): Promise<Received<Data>> {
  const isFile = operation.marks.has('file')
  // Where nobody can say how far a file is, only the caller knows how long it may take.
  const usualMs = isFile && !isServer ? Infinity : (settings.timeoutMs ?? TIMEOUT_MS)
  const { signal, timeoutMs = usualMs, onProgress = () => undefined } = options
  const limit = timeLimit(timeoutMs, signal)
  // A stream can be read only once.
  const isReplayable = !(content instanceof ReadableStream)
  const isRepeatable = operation.marks.has('again') && isReplayable
  try {
    const sent = isFile
      ? withProgress(content as Upload, onProgress, limit.restart, isServer)
      : { body: operation.marks.has('json') ? JSON.stringify(content) : undefined }
    const init = { method: operation.method, headers, signal: limit.signal, redirect: 'error', ...sent } as RequestInit
    if (sent.body instanceof ReadableStream) Object.assign(init, { duplex: 'half' })
    const response = await (settings.fetch ?? fetch)(url, init)
    if (!response.ok && response.status !== 304) {
      const error = errorOf(response, await response.text(), isRepeatable, attempts)
      throw isReplayable ? error : Object.assign(error, { retryable: false })
    }
    if ('done' in sent) sent.done()
    const isJson = response.headers.get('content-type')?.startsWith('application/json')
    const isEmpty = response.status === 204 || response.status === 304
    const data = (isEmpty ? undefined : isJson ? await response.json() : response) as Data
    if (data !== response) limit.release()
    return { data, response, requestId: response.headers.get('x-request-id') ?? undefined, attempts }
  } catch (cause) {
    limit.release()
    if (cause instanceof CradleError) throw cause
    signal?.throwIfAborted()
    const facts = { retryable: isRepeatable, attempts, cause }
    if (limit.isReached()) throw new TimeoutError(`No answer within ${timeoutMs} ms`, { code: 'timeout', ...facts })
    throw new ConnectionError('The connection failed, or the answer was cut', { code: 'connection_failed', ...facts })
  } finally {
    limit.stop()
  }
}

/** Ends an attempt that takes too long, or that the caller aborts. */
function timeLimit(timeoutMs: number, signal: AbortSignal | undefined) {
  const controller = new AbortController()
  const abort = () => controller.abort(signal?.reason)
  signal?.addEventListener('abort', abort)
  let timer: ReturnType<typeof setTimeout> | undefined
  let isReached = false
  const stop = () => clearTimeout(timer)
  const restart = () => {
    stop()
    // What is longer than timers can count has no limit.
    if (timeoutMs > 2 ** 31 - 1) return
    timer = setTimeout(() => {
      isReached = true
      controller.abort()
    }, timeoutMs)
  }
  restart()
  const release = () => signal?.removeEventListener('abort', abort)
  return { signal: controller.signal, restart, stop, release, isReached: () => isReached }
}

/** As long as the service says, and a little more; else longer each time. At random, so that clients do not meet. */
function pauseMs(retryAfterSeconds: number | undefined, attempts: number): number {
  if (retryAfterSeconds !== undefined) return retryAfterSeconds * 1000 * (1 + Math.random() / 10)
  return Math.min(PAUSE_MS_MAX, PAUSE_MS_FIRST * 2 ** (attempts - 1)) * (0.5 + Math.random() / 2)
}

const pause = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer)
      reject(signal!.reason as Error)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort)
      resolve()
    }, ms)
    signal?.addEventListener('abort', abort, { once: true })
  })
