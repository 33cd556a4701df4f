// Asks a service to erase the names of a customer.
import type { Json } from './document-check.ts'
import type { AskedService } from './asked-service.ts'

export interface ErasureAnswer {
  readonly status: number
  readonly answer: Json
}

/** @param query like `?preview=true` */
export async function pseudonymise(
  service: Pick<AskedService, 'ask'>,
  customer: string,
  body: Json = {},
  query = '',
): Promise<ErasureAnswer> {
  const headers = { 'content-type': 'application/json' }
  const path = `/api/customers/${encodeURIComponent(customer)}/pseudonymise${query}`
  const { status, text } = await service.ask(path, { method: 'POST', headers, body: JSON.stringify(body) })
  return { status, answer: JSON.parse(text) as Json }
}
