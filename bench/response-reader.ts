// Reads HTTP/1.1 responses with a Content-Length off one connection: status and end, nothing else is kept.

const HEAD_END = Buffer.from('\r\n\r\n')
const CONTENT_LENGTH = /\r\ncontent-length:[ \t]*(\d+)[ \t]*\r\n/i
const STATUS_LINE = /^HTTP\/1\.1 (\d{3})[ \r]/
const HEAD_BYTES_MAX = 65_536

/** One request is in flight at a time, so bytes beyond the end of a response are a fault of the server. */
export class ResponseReader {
  status = 0
  /** Where the body starts in the bytes just read, if head and body came together; else -1. */
  bodyAt = -1
  #bodyLeft = 0
  /** The beginning of a head that came in pieces. */
  #head: Buffer | null = null

  /** Takes the first `length` bytes of `bytes`; true once the response is complete. Throws on what it cannot read. */
  read(bytes: Buffer, length: number): boolean {
    this.bodyAt = -1
    if (this.#bodyLeft > 0) return this.#skip(length)
    if (this.#head !== null) return this.#readSplitHead(bytes, length)
    // The buffer is used again and again: an end found beyond `length` belongs to an earlier response.
    const headEnd = bytes.indexOf(HEAD_END)
    if (headEnd < 0 || headEnd + 4 > length) return this.#keep(Buffer.from(bytes.subarray(0, length)))
    this.bodyAt = headEnd + 4
    return this.#start(bytes, headEnd, length)
  }

  #readSplitHead(bytes: Buffer, length: number): boolean {
    const joined = Buffer.concat([this.#head ?? Buffer.alloc(0), bytes.subarray(0, length)])
    const headEnd = joined.indexOf(HEAD_END)
    if (headEnd < 0) return this.#keep(joined)
    this.#head = null
    return this.#start(joined, headEnd, joined.length)
  }

  #keep(head: Buffer): false {
    if (head.length > HEAD_BYTES_MAX) throw new Error(`no end of the head in ${head.length} bytes`)
    this.#head = head
    return false
  }

  #start(bytes: Buffer, headEnd: number, length: number): boolean {
    // Up to and with the last header's line end, which the pattern for Content-Length needs.
    const head = bytes.toString('latin1', 0, headEnd + 2)
    const status = STATUS_LINE.exec(head)?.[1]
    if (status === undefined) throw new Error(`not an HTTP/1.1 status line: ${head.slice(0, 40)}`)
    const contentLength = CONTENT_LENGTH.exec(head)?.[1]
    if (contentLength === undefined) throw new Error(`no Content-Length (chunked?): ${head.slice(0, 400)}`)
    this.status = Number(status)
    this.#bodyLeft = Number(contentLength)
    return this.#skip(length - headEnd - 4)
  }

  #skip(length: number): boolean {
    this.#bodyLeft -= length
    if (this.#bodyLeft < 0) throw new Error(`${-this.#bodyLeft} bytes beyond the end of the response`)
    return this.#bodyLeft === 0
  }
}
