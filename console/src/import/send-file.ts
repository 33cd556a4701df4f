// Sends a file to the API and reports its progress, which fetch cannot do for a request.
import { problemOf } from '../api/problem.ts'
import type { RequestedSettings, ImportState } from './settings.ts'

export interface Sending {
  readonly file: File
  readonly isDryRun: boolean
  readonly asked: RequestedSettings
}

/**
 * Browsers report the progress of a fetch only over HTTP/2, and the service speaks HTTP/1.1.
 * @param onProgress gets the share that was sent, 0 to 1
 * @throws Problem with what is wrong with the file, or with how it is to be read
 */
export function sendFile(
  { file, isDryRun, asked }: Sending,
  onProgress: (share: number) => void,
): Promise<ImportState> {
  const { promise, resolve, reject } = Promise.withResolvers<ImportState>()
  const request = new XMLHttpRequest()
  request.open('POST', `/api/imports?${String(parametersOf(file, isDryRun, asked))}`)
  // The service detects the format by the name and the content.
  request.setRequestHeader('Content-Type', 'application/octet-stream')
  request.responseType = 'json'
  request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total === 0 ? 1 : loaded / total))
  request.addEventListener('load', () => {
    const { status, statusText } = request
    if (status === 202) return resolve(request.response as ImportState)
    const headers = new Headers({ 'x-request-id': request.getResponseHeader('x-request-id') ?? '' })
    reject(problemOf(new Response(null, { status, statusText, headers }), request.response))
  })
  request.addEventListener('error', () => reject(problemOf(null, null)))
  request.send(file)
  return promise
}

function parametersOf(file: File, isDryRun: boolean, { columns, ...settings }: RequestedSettings): URLSearchParams {
  const parameters = new URLSearchParams({ dry_run: String(isDryRun), file_name: file.name.slice(0, 200) })
  for (const [name, value] of Object.entries(settings)) if (value !== '') parameters.set(name, value)
  if (Object.keys(columns).length > 0) parameters.set('columns', JSON.stringify(columns))
  return parameters
}
