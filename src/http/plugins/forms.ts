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
  const fields: (readonly [string, string])[] = []
  let fileName: string | null = null
  const parser = parserOf(contentType)
  let failure: Error | null = null
  let file: Readable | null = null
  /** Fulfilled when the file begins, or the form ends without one. */
  const wake = Promise.withResolvers<void>()
  /** Fulfilled when nothing more is to be read. */
  const stopped = Promise.withResolvers<void>()
  const fail = (error: Error): void => {
    failure ??= error
    stopped.resolve()
    file?.destroy()
    wake.resolve()
  }
  const refuse = (message: Message): void => fail(refusal(message))
  parser.on('field', (name, value, isNameCut, isCut) => {
    if (isNameCut || isCut)
      return refuse(PROTOCOL_MESSAGES.form_field_too_long({ name: shortName(name), max: FIELD_BYTES_MAX }))
    if (value !== '') fields.push([name ?? '', value])
  })
  parser.on('file', (_, stream, name, encoding) => {
    file = stream
    // An error of the form is reported by the parser.
    stream.on('error', () => undefined)
    fileName = name === undefined || name === '' ? null : Array.from(name).slice(0, FILE_NAME_LENGTH_MAX).join('')
    if (!ENCODINGS.includes(encoding)) {
      return fail(
        new ApiError('unsupported_media_type', PROTOCOL_MESSAGES.form_encoding({ encoding: shortName(encoding) })),
      )
    }
    wake.resolve()
  })
  parser.on('filesLimit', () => refuse(PROTOCOL_MESSAGES.form_files()))
  parser.on('fieldsLimit', () => refuse(PROTOCOL_MESSAGES.form_fields({ max: FIELDS_MAX })))
  parser.on('partsLimit', () => refuse(PROTOCOL_MESSAGES.form_fields({ max: FIELDS_MAX })))
  parser.on('error', () => refuse(PROTOCOL_MESSAGES.form_incomplete()))
  const ended = once(parser, 'finish').then(
    () => wake.resolve(),
    () => undefined,
  )
  let fileBytes = 0
  let formBytes = 0
  const feed = async (): Promise<void> => {
    try {
      for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
        if (failure) return
        formBytes += chunk.length
        if (formBytes - fileBytes > FORM_BYTES_MAX + BUFFERED_BYTES)
          return fail(new ApiError('too_large', PROTOCOL_MESSAGES.form_too_large({ max: FORM_BYTES_MAX })))
        if (!parser.write(chunk)) await Promise.race([once(parser, 'drain'), stopped.promise])
      }
      parser.end()
    } catch (error) {
      fail(error as Error)
    }
  }
  async function* contentOf(): AsyncGenerator<Buffer> {
    const feeding = feed()
    try {
      await wake.promise
      if (!failure && !file) throw refusal(PROTOCOL_MESSAGES.form_without_file())
      if (file && !failure) {
        for await (const chunk of (file as Readable).iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
          fileBytes += chunk.length
          yield chunk
        }
      }
      await Promise.race([Promise.all([feeding, ended]), stopped.promise])
      if (failure) throw failure as Error
    } catch (error) {
      throw failure ?? error
    } finally {
      failure ??= new Error('The form is not read any further')
      stopped.resolve()
      body.pause()
    }
  }
  return { content: contentOf(), read: () => ({ fields, fileName }) }
}

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
