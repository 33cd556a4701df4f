// The API as the console uses it: typed by its own document, its refusals as problems with sentences.
import createClient from 'openapi-fetch'
import type { components, paths } from '../../generated/openapi.d.ts'
import { problemOf } from './problem.ts'

export type Schemas = components['schemas']

/** The session's cookie goes with every request to where the page came from, and nowhere else. */
export const api = createClient<paths>({ baseUrl: '/', credentials: 'same-origin' })

/**
 * Ids may be `.` and `..`, which a browser takes for steps of the path, encoded or not: it would ask for something else
 * than the object. Such a one is found in lists, and by clients that send paths as they are.
 */
api.use({
  onRequest: ({ params: { path = {} } }) =>
    Object.values(path).some((id) => id === '.' || id === '..')
      ? Response.json({ error: 'There is nothing under this path', code: 'not_found' }, { status: 404 })
      : undefined,
})

/** What openapi-fetch answers, as far as it is looked at here. */
interface Fetched<Data> {
  readonly data?: Data
  readonly error?: unknown
  readonly response: Response
}

/**
 * What was answered, or a thrown problem.
 * @throws Problem with the sentences of the service
 */
export async function read<Data>(asked: Promise<Fetched<Data>>): Promise<NonNullable<Data>> {
  return (await readPage(asked)).data
}

export interface Page<Data> {
  readonly data: NonNullable<Data>
  /** Where the next page begins; null on the last. */
  readonly next: string | null
}

/** The same, of a list that comes page by page. */
export async function readPage<Data>(asked: Promise<Fetched<Data>>): Promise<Page<Data>> {
  const { data, response } = await answered(asked)
  return { data, next: nextOf(response) }
}

/** The same, with the ETag of its state, by which a request changes that state and no later one. */
export async function readTagged<Data>(
  asked: Promise<Fetched<Data>>,
): Promise<{ readonly data: NonNullable<Data>; readonly tag: string }> {
  const { data, response } = await answered(asked)
  return { data, tag: response.headers.get('etag') ?? '' }
}

async function answered<Data>(asked: Promise<Fetched<Data>>) {
  const { data, error, response } = await asked.catch((cause: unknown) => Promise.reject(problemOf(null, cause)))
  if (!response.ok || data === undefined || data === null) throw problemOf(response, error)
  return { data, response }
}

function nextOf({ headers }: Response): string | null {
  const link = /<([^>]+)>;\s*rel="next"/.exec(headers.get('link') ?? '')?.[1]
  return link === undefined ? null : new URL(link, 'http://here').searchParams.get('cursor')
}
