// The client of Cradle's API: a method for each operation of its OpenAPI document.
import { Answer, Listing } from './answer.ts'
import { OPERATIONS } from './generated/operations.ts'
import type { Operations } from './generated/api.js'
import { send, type Input, type Operation, type RequestOptions, type Settings } from './request.ts'

export type * from './generated/api.js'
export type { Answer, Listing } from './answer.ts'
export type { Received, RequestOptions, Settings } from './request.ts'
export type { Progress, Upload } from './upload.ts'
export * from './errors.ts'
export { WebhookVerificationError, webhooks, type VerifyOptions } from './webhooks.ts'

export type Client = Operations

/** A client of the service at `url`, with the rights of `key`. */
export function createClient(settings: Settings): Client {
  const methods = Object.entries(OPERATIONS).map(([name, row]) => [name, methodOf(settings, operationOf(row))])
  return Object.fromEntries(methods) as Client
}

/** A row has method, path and marks, a mark a name and perhaps a value. */
function operationOf(row: string): Operation {
  const [method, path, ...marks] = row.split(' ')
  return { method: method!, path: path!, marks: new Map(marks.map((mark) => mark.split(':') as [string, string])) }
}

function methodOf(settings: Settings, operation: Operation) {
  const members = operation.marks.get('list')?.split(',')
  const ask = <Data>(input: Input, options: RequestOptions) => send<Data>(settings, operation, input, options)
  if (!operation.marks.has('list'))
    return (input: Input = {}, options: RequestOptions = {}) => new Answer(ask(input, options))
  const itemsOf = (page: unknown) =>
    members ? members.flatMap((member) => (page as Record<string, unknown[]>)[member] ?? []) : (page as unknown[])
  return (input: Input = {}, options: RequestOptions = {}) =>
    new Listing((cursor) => ask(cursor === undefined ? input : { ...input, cursor }, options), itemsOf)
}
