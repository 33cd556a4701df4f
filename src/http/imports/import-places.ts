// Where imports are, and which one a request means.
import type { FastifyRequest } from 'fastify'
import type { ImportKey } from '../../postgres/imports/import-record.ts'
import { callerOf } from '../serving/authenticate.ts'
import { Failure } from '../requests/failure.ts'
import { numberCursor } from '../requests/query.ts'

export const PATH = '/api/imports'
export const ONE = `${PATH}/{import_id}`
export const ID = { import_id: { description: 'Number of the import.', example: '17' } }

const IDS_MAX = 2 ** 31 - 1

/** @throws Failure where no import could have that number */
export function keyOf(request: FastifyRequest): ImportKey {
  const text = (request.params as { readonly import_id: string }).import_id
  const key = { accountId: callerOf(request).accountId, importId: Number(text) }
  if (!/^[1-9]\d{0,9}$/.test(text) || key.importId > IDS_MAX) throw unknownImport({ importId: text.slice(0, 40) })
  return key
}

export const unknownImport = ({ importId }: { readonly importId: number | string }): Failure =>
  new Failure('not_found', `There is no import ${importId}; GET ${PATH} lists those there are`)

/** Names the last one of a page. */
export const cursorOf = (accountId: number, list: string) => numberCursor([list, accountId])
