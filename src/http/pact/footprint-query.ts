// The query parameters of a list of footprints. A value that nothing matches gives an empty list, not an error.
import type { FootprintFilter } from '../../postgres/pact-footprints.ts'
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

/**
 * The filter of a request for footprints: members as the parameters of a list are named, texts or lists of texts.
 * @throws PactError for a text that is no time
 */
export const readEventFilter = (data: Readonly<Record<string, unknown>>): FootprintFilter =>
  readFilter(
    Object.fromEntries(
      Object.entries(data).flatMap(([name, value]) => {
        const texts = [value].flat().filter((one): one is string => typeof one === 'string')
        return texts.length > 0 ? [[name, texts]] : []
      }),
    ),
  )

/** In lower case, because values are compared without regard to case. */
function textsOf(sent: string | readonly string[] | undefined): readonly string[] | null {
  if (sent === undefined) return null
  return [sent].flat().map((one) => one.toLowerCase().replaceAll('\0', ''))
}

/** @throws PactError for a text that is no time: it cannot be compared */
function timeOf(name: string, query: SentQuery): Date | null {
  const [text] = [query[name] ?? []].flat()
  if (text === undefined) return null
  const time = new Date(text)
  if (Number.isNaN(time.getTime()))
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
