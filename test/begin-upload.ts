// A file to import that is sent as slowly as a test wants, or never to its end.
import { request, type ClientRequest, type IncomingHttpHeaders } from 'node:http'
import { text } from 'node:stream/consumers'

export interface UploadAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

export interface Upload {
  readonly sending: ClientRequest
  /** Also while it is still being sent. */
  readonly answered: Promise<UploadAnswer>
}

interface UploadOptions {
  readonly query?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Begins to send a file; its bytes, and its end, are up to the caller. */
export function beginUpload(url: string, key: string, { query = '', headers = {} }: UploadOptions = {}): Upload {
  const sending = request(`${url}/api/imports${query}`, {
    method: 'POST',
    headers: { 'content-type': 'text/csv', 'x-api-key': key, ...headers },
    agent: false,
  })
  const answered = new Promise<UploadAnswer>((resolve, reject) => {
    sending.on('response', (answer) => {
      text(answer).then((body) => resolve({ status: answer.statusCode!, headers: answer.headers, text: body }), reject)
    })
    sending.on('error', reject)
  })
  // A test may not come to await it.
  answered.catch(() => undefined)
  sending.flushHeaders()
  return { sending, answered }
}
