// Reads a form with one file: its content is passed on as it arrives, and its fields are kept.
import { Busboy } from '@fastify/busboy'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { ApiError, invalidRequest } from '../../contract/errors.ts'
import type { Message } from '../../engine/message.ts'
import { PROTOCOL_MESSAGES } from '../messages.ts'
import { FORM_TYPE } from '../routes/import-settings.ts'

export const isForm = ({ headers }: FastifyRequest): boolean =>
  headers['content-type']?.split(';')[0]?.trim().toLowerCase() === FORM_TYPE

/** What a form may have beside its file: fields, boundaries and headers of parts. */
export const FORM_BYTES_MAX = 4 * 1024 * 1024
const FIELD_BYTES_MAX = 512 * 1024
const FIELDS_MAX = 30
const PART_HEADERS_MAX = 16
const PART_HEADER_BYTES_MAX = 8 * 1024
/** Nothing that is done to the content of the file is undone. */
const ENCODINGS = ['7bit', '8bit', 'binary']

export interface ReceivedForm {
  readonly fields: readonly (readonly [name: string, value: string])[]
  readonly fileName: string | null
}

export interface Form {
  /** Ends when the complete form has arrived. @throws ApiError for what is wrong with it */
  readonly content: AsyncIterable<Buffer>
  /** The fields, once the content was read. Empty fields count as not sent. */
  readonly read: () => ReceivedForm
}

/** @throws ApiError for a form without a boundary */
export function readForm(contentType: string, body: Readable): Form {
  const reading = new FormReading(contentType, body)
  return { content: reading.content(), read: () => ({ fields: reading.fields, fileName: reading.fileName }) }
}

class FormReading {
  readonly fields: (readonly [string, string])[] = []
  fileName: string | null = null
  private readonly body: Readable
  private readonly parser: ReturnType<typeof parserOf>
  private failure: Error | null = null
  private file: Readable | null = null
  private fileBytes = 0
  private formBytes = 0
  /** Fulfilled when the file begins, or the form ends without one. */
  private readonly begun = Promise.withResolvers<void>()
  /** Fulfilled when nothing more is to be read. */
  private readonly stopped = Promise.withResolvers<void>()
  private readonly ended: Promise<void>

  constructor(contentType: string, body: Readable) {
    this.body = body
    this.parser = parserOf(contentType)
    this.ended = once(this.parser, 'finish').then(
      () => this.begun.resolve(),
      () => undefined,
    )
    this.listen()
  }

  private listen(): void {
    const refuse = (message: Message): void => this.fail(refusal(message))
    this.parser.on('field', (name, value, isNameCut, isCut) => {
      if (isNameCut || isCut)
        return refuse(PROTOCOL_MESSAGES.form_field_too_long({ name: shortName(name), max: FIELD_BYTES_MAX }))
      if (value !== '') this.fields.push([name ?? '', value])
    })
    this.parser.on('file', (_, stream, name, encoding) => this.begin(stream, name, encoding))
    this.parser.on('filesLimit', () => refuse(PROTOCOL_MESSAGES.form_files()))
    this.parser.on('fieldsLimit', () => refuse(PROTOCOL_MESSAGES.form_fields({ max: FIELDS_MAX })))
    this.parser.on('partsLimit', () => refuse(PROTOCOL_MESSAGES.form_fields({ max: FIELDS_MAX })))
    this.parser.on('error', () => refuse(PROTOCOL_MESSAGES.form_incomplete()))
  }

  private begin(stream: Readable, name: string | undefined, encoding: string): void {
    this.file = stream
    // An error of the form is reported by the parser.
    stream.on('error', () => undefined)
    this.fileName = name === undefined || name === '' ? null : [...name].slice(0, FILE_NAME_LENGTH_MAX).join('')
    if (ENCODINGS.includes(encoding)) return this.begun.resolve()
    const message = PROTOCOL_MESSAGES.form_encoding({ encoding: shortName(encoding) })
    this.fail(new ApiError('unsupported_media_type', message))
  }

  private fail(error: Error): void {
    this.failure ??= error
    this.stopped.resolve()
    this.file?.destroy()
    this.begun.resolve()
  }

  /** Gives the body to the parser, which takes more when the content of the file was read. */
  private async feed(): Promise<void> {
    try {
      for await (const chunk of chunksOf(this.body)) {
        if (this.failure) return
        this.formBytes += chunk.length
        if (this.formBytes - this.fileBytes > FORM_BYTES_MAX + BUFFERED_BYTES)
          return this.fail(new ApiError('too_large', PROTOCOL_MESSAGES.form_too_large({ max: FORM_BYTES_MAX })))
        if (!this.parser.write(chunk)) await Promise.race([once(this.parser, 'drain'), this.stopped.promise])
      }
      this.parser.end()
    } catch (error) {
      this.fail(error as Error)
    }
  }

  async *content(): AsyncGenerator<Buffer> {
    const feeding = this.feed()
    try {
      await this.begun.promise
      if (!this.failure && !this.file) throw refusal(PROTOCOL_MESSAGES.form_without_file())
      for await (const chunk of this.file && !this.failure ? chunksOf(this.file) : []) {
        this.fileBytes += chunk.length
        yield chunk
      }
      await Promise.race([Promise.all([feeding, this.ended]), this.stopped.promise])
      if (this.failure) throw this.failure
    } catch (error) {
      throw this.failure ?? error
    } finally {
      this.failure ??= new Error('The form is not read any further')
      this.stopped.resolve()
      this.body.pause()
    }
  }
}

/** The connection stays open if reading is aborted: the error is sent on it. */
const chunksOf = (stream: Readable): AsyncIterable<Buffer> => stream.iterator({ destroyOnReturn: false })

/** Chunks on their way through the parser, which are not counted as content yet. */
const BUFFERED_BYTES = 1024 * 1024
const FILE_NAME_LENGTH_MAX = 200

const shortName = (name: string | undefined): string => (name ?? '').slice(0, 40)
const refusal = (message: Message): ApiError => invalidRequest([{ path: '', ...message }])

function parserOf(contentType: string) {
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      limits: {
        fieldNameSize: 100,
        fieldSize: FIELD_BYTES_MAX,
        fields: FIELDS_MAX,
        files: 1,
        parts: FIELDS_MAX + 1,
        headerPairs: PART_HEADERS_MAX,
        headerSize: PART_HEADER_BYTES_MAX,
      },
      // A part with a file name is a file, whatever its type.
      isPartAFile: (_, contentType, name) => name !== undefined || contentType === 'application/octet-stream',
    })
  } catch {
    throw refusal(PROTOCOL_MESSAGES.form_without_boundary())
  }
}
