// One file sent to a service as anybody would send it: how it is answered, and how its import ends.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Settings } from '../src/spreadsheets/settings.ts'

export interface Sending {
  readonly fileName: string
  readonly bytes: Buffer
  readonly asked: Partial<Settings>
}

export interface Service {
  readonly port: number
  readonly key: string
}

/** No file is waited for longer, neither for its answer nor for its import. */
const WAIT_MS_MAX = 30_000
const LOOK_MS = 200
const SENTENCE_LENGTH_MAX = 110

interface Import {
  readonly import_id: number
  readonly state: string
  readonly problem: string | null
  readonly finished_at: string | null
}

interface Failed {
  readonly code?: string
  readonly error?: string
  readonly details?: readonly { readonly message: string }[]
}

/** What is answered, in a line; the import is undone, so that it takes nothing of the next. */
export async function sendFile(service: Service, { fileName, bytes, asked }: Sending): Promise<string> {
  const said = Object.entries(asked).map(([name, value]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    // Encoded as little as can be: a long address is refused before it is looked at.
    return `&${name}=${encodeURIComponent(text).replaceAll('%3A', ':').replaceAll('%2C', ',')}`
  })
  const until = performance.now() + WAIT_MS_MAX
  try {
    const answer = await ask(service, `/api/imports?file_name=${encodeURIComponent(fileName)}${said.join('')}`, {
      method: 'POST',
      headers: { 'content-type': 'application/octet-stream' },
      body: new Uint8Array(bytes),
    })
    const body = (await answer.json()) as Import & Failed
    if (answer.status !== 202) return `${answer.status} ${body.code ?? ''}: ${sentenceOf(body)}`
    const ended = await follow(service, body.import_id, until)
    await undo(service, body.import_id)
    const problem = ended.problem === null ? '' : `: ${shortened(ended.problem)}`
    return `202, then ${ended.state}${problem}`
  } catch (error) {
    return error instanceof Error && error.name === 'TimeoutError'
      ? `no answer in ${WAIT_MS_MAX / 1000} s`
      : 'the connection broke'
  }
}

const ask = ({ port, key }: Service, path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(`http://127.0.0.1:${port}${path}`, {
    ...init,
    headers: { ...init.headers, 'x-api-key': key },
    signal: AbortSignal.timeout(WAIT_MS_MAX),
  })

const sentenceOf = ({ error, details }: Failed): string => shortened(details?.[0]?.message ?? error ?? '')

/** One line of a table. */
const shortened = (text: string): string => {
  const line = text.replace(/[|\s]+/g, ' ')
  return line.length <= SENTENCE_LENGTH_MAX ? line : `${line.slice(0, SENTENCE_LENGTH_MAX)}…`
}

async function follow(service: Service, importId: number, until: number): Promise<Import> {
  for (;;) {
    const found = (await (await ask(service, `/api/imports/${importId}`)).json()) as Import
    if (found.finished_at !== null || performance.now() > until) return found
    await sleep(LOOK_MS)
  }
}

async function undo(service: Service, importId: number): Promise<void> {
  const until = performance.now() + WAIT_MS_MAX
  const { status } = await ask(service, `/api/imports/${importId}`, { method: 'DELETE' })
  if (status === 202) await follow(service, importId, until)
}
