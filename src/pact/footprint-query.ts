// The query parameters of a list of footprints. A value that nothing matches gives an empty list, not an error.
import type { FootprintFilter } from '../postgres/pact-footprints.ts'
import { PactError } from './pact-errors.ts'

type SentQuery = Readonly<Record<string, string | readonly string[] | undefined>>

/** Parameters that are not known are ignored: a vendor may add its own. */
export function readFilter(query: SentQuery): FootprintFilter {
  return {
    productIds: textsOf(query['productId']),
    companyIds: textsOf(query['companyId']),
    countries: textsOf(query['geography']),
    classifications: textsOf(query['classification']),
    status: textsOf(query['status']),
    validOn: timeOf('validOn', query),
    validAfter: timeOf('validAfter', query),
    validBefore: timeOf('validBefore', query),
  }
}

const FILTERS = [
  'productId',
  'companyId',
  'geography',
  'classification',
  'status',
  'validOn',
  'validAfter',
  'validBefore',
] as const

/** The filters of a request for footprints, named as the parameters of a list; what is no text is left out. */
export const filtersOf = (data: Readonly<Record<string, unknown>>): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(
    FILTERS.flatMap((name) => {
      const sent = Object.hasOwn(data, name) ? [data[name]].flat() : []
      const texts = sent.filter((one) => typeof one === 'string')
      return texts.length > 0 ? [[name, texts]] : []
    }),
  )

/** In lower case, because values are compared without regard to case. PostgreSQL takes no NUL. */
function textsOf(sent: string | readonly string[] | undefined): readonly string[] | null {
  if (sent === undefined) return null
  return [sent].flat().map((one) => one.toLowerCase().replaceAll('\0', ''))
}

/** PostgreSQL knows fewer years than JavaScript. */
const FIRST_TIME = new Date('0001-01-01T00:00:00Z')
const LAST_TIME = new Date('9999-12-31T23:59:59Z')

/** @throws PactError for a text that is no time, or of a year that has not four digits: it cannot be compared */
function timeOf(name: string, query: SentQuery): Date | null {
  const [text] = [query[name] ?? []].flat()
  if (text === undefined) return null
  const time = new Date(text)
  if (!(time >= FIRST_TIME && time <= LAST_TIME))
    throw new PactError('BadRequest', `${name} must be a time, such as 2026-01-31T00:00:00Z`)
  return time
}

const LIMIT_MAX = 1000
const LIMIT_DEFAULT = 100

/** @throws PactError if it is no whole number from 1 */
export function readLimit(query: SentQuery): number {
  const [text] = [query['limit'] ?? []].flat()
  if (text === undefined) return LIMIT_DEFAULT
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new PactError('BadRequest', 'limit must be a whole number from 1')
  return Math.min(Number(text), LIMIT_MAX)
}

const CURSOR = 'cursor'

/** Where a page begins: after the footprint with this number. @throws PactError for a cursor that no page had */
export function readCursor(query: SentQuery): number {
  const [text] = [query[CURSOR] ?? []].flat()
  if (text === undefined) return 0
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw new PactError('BadRequest', 'cursor must be taken from the Link header of the page before')
}

/** The URL of the next page: the same query behind the last footprint of this page. */
export function nextPage(base: string, query: SentQuery, lastNo: number): string {
  const sent = Object.entries(query).flatMap(([name, values]) =>
    name === CURSOR ? [] : [values ?? []].flat().map((value): [string, string] => [name, value]),
  )
  return `${base}?${new URLSearchParams([...sent, [CURSOR, String(lastNo)]]).toString()}`
}
