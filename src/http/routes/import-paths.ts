// The paths of imports, and the import that a request names.
import type { FastifyRequest } from 'fastify'
import type { ImportKey } from '../../postgres/import-record.ts'
import { callerOf } from '../plugins/authentication.ts'
import { ApiError } from '../../contract/errors.ts'
import { numberCursor } from '../parameters.ts'
import { ROUTE_MESSAGES } from '../messages.ts'

export const IMPORTS_PATH = '/api/imports'
export const IMPORT_PATH = `${IMPORTS_PATH}/{import_id}`
export const IMPORT_ID_PARAMETER = { import_id: { description: 'Number of the import.', example: '17' } }

const IDS_MAX = 2 ** 31 - 1

/** @throws ApiError where no import can have that number */
export function importKeyOf(request: FastifyRequest): ImportKey {
  const text = (request.params as { readonly import_id: string }).import_id
  const key = { accountId: callerOf(request).accountId, importId: Number(text) }
  if (!/^[1-9]\d{0,9}$/.test(text) || key.importId > IDS_MAX) throw importNotFound({ importId: text.slice(0, 40) })
  return key
}

export const importNotFound = ({ importId }: { readonly importId: number | string }): ApiError =>
  new ApiError('not_found', ROUTE_MESSAGES.import_unknown({ import_id: importId }))

/** A cursor identifies the last element of a page. */
export const cursorOf = (accountId: number, list: string) => numberCursor([list, accountId])
