// What methods return: the answer to one request, and lists that are read page by page.
import type { Received } from './request.ts'

/** A promise of what the service answers; `withResponse()` has status and headers, too. */
export class Answer<Data> implements Promise<Data> {
  readonly [Symbol.toStringTag] = 'Answer'
  readonly #received: Promise<Received<Data>>

  constructor(received: Promise<Received<Data>>) {
    this.#received = received
  }

  withResponse(): Promise<Received<Data>> {
    return this.#received
  }

  then<Kept = Data, Failed = never>(
    onData?: ((data: Data) => Kept | PromiseLike<Kept>) | null,
    onError?: ((error: unknown) => Failed | PromiseLike<Failed>) | null,
  ): Promise<Kept | Failed> {
    return this.#received.then(({ data }) => data).then(onData, onError)
  }

  catch<Failed = never>(onError?: ((error: unknown) => Failed | PromiseLike<Failed>) | null): Promise<Data | Failed> {
    return this.then(null, onError)
  }

  finally(onEnd?: (() => void) | null): Promise<Data> {
    return this.then().finally(onEnd)
  }
}

type ReadPage<Page> = (cursor: string | undefined) => Promise<Received<Page>>

/**
 * A list: `for await` reads its items page by page and keeps one page at a time, `toArray` up to a limit, and `await`
 * the first page. Nothing is sent before.
 */
export class Listing<Item, Page> implements AsyncIterable<Item>, PromiseLike<Page> {
  readonly #read: ReadPage<Page>
  readonly #itemsOf: (page: Page) => readonly Item[]

  constructor(read: ReadPage<Page>, itemsOf: (page: Page) => readonly Item[]) {
    this.#read = read
    this.#itemsOf = itemsOf
  }

  /** The first page, with status and headers. */
  withResponse(): Promise<Received<Page>> {
    return this.#read(undefined)
  }

  then<Kept = Page, Failed = never>(
    onPage?: ((page: Page) => Kept | PromiseLike<Kept>) | null,
    onError?: ((error: unknown) => Failed | PromiseLike<Failed>) | null,
  ): Promise<Kept | Failed> {
    return this.withResponse()
      .then(({ data }) => data)
      .then(onPage, onError)
  }

  async *pages(): AsyncGenerator<Page, void, undefined> {
    let cursor: string | undefined
    do {
      const { data, response } = await this.#read(cursor)
      yield data
      const next = cursorIn(response.headers.get('link'))
      if (next !== undefined && next === cursor) throw new Error('A page names itself as the next one')
      cursor = next
    } while (cursor !== undefined)
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const page of this.pages()) yield* this.#itemsOf(page)
  }

  /** The first items, at most as many as `limit` says: a list may be longer than memory. */
  async toArray({ limit }: { readonly limit: number }): Promise<Item[]> {
    if (!(Number.isInteger(limit) && limit > 0)) throw new RangeError('limit has to be a whole number above 0')
    const items: Item[] = []
    for await (const item of this) {
      items.push(item)
      if (items.length === limit) break
    }
    return items
  }
}

/** Of a link, the cursor alone is followed: where the service is, the client knows. */
function cursorIn(link: string | null): string | undefined {
  const target = /<([^>]*)>\s*;[^,]*\brel="?next\b/.exec(link ?? '')?.[1]
  return target === undefined ? undefined : (new URL(target, 'http://next').searchParams.get('cursor') ?? undefined)
}
