// Parses request bodies strictly as JSON in UTF-8; other bodies are rejected before they are read.
import type { Readable } from 'node:stream'
import { gunzip } from 'node:zlib'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { PROBLEMS_MAX } from '../../engine/validate-order.ts'
import { ApiError, invalidRequest } from '../../contract/errors.ts'
import { BODY_HEADERS_MISMATCH } from '../errors.ts'
import type { MemoryReservation } from '../../concurrency/memory-budget.ts'
import { parseStrictJson } from '../../strict-json/parse.ts'
import { PROTOCOL_MESSAGES } from '../messages.ts'

/** Counts the received bytes of an incomplete body. */
export type ReserveBody = (request: FastifyRequest, bytes: number) => MemoryReservation

export function registerBodyParser(app: FastifyInstance, jsonNestingMax: number, holdBody: ReserveBody): void {
  const parse = (body: Buffer, done: (error: Error | null, value?: unknown) => void): void => {
    if (body.length === 0) return done(null, undefined)
    const read = parseStrictJson(body, { nestingMax: jsonNestingMax, problemsMax: PROBLEMS_MAX })
    if (read.ok) done(null, read.value)
    else done(invalidRequest(read.problems))
  }
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', (request, payload, done) => {
    const refusal = encodingRefusal(request)
    if (refusal) return done(refusal)
    collect(request, payload, holdBody, (failure, body) => {
      if (failure) return done(failure)
      if (!isCompressed(request)) return parse(body, done)
      gunzip(body, { maxOutputLength: bytesMaxOf(request) }, (error, plain) => {
        if (error) done(gzipFailure(error, bytesMaxOf(request)))
        else parse(plain, done)
      })
    })
  })
}

const MIB = 2 ** 20
const sizeOf = (bytes: number): string => (bytes < MIB ? `${bytes / 2 ** 10} KiB` : `${bytes / MIB} MiB`)
const tooLarge = (bytesMax: number): ApiError =>
  new ApiError('too_large', PROTOCOL_MESSAGES.body_too_large({ limit: sizeOf(bytesMax) }))

/** Of the body as it is sent, and as it is decompressed. */
const bytesMaxOf = ({ routeOptions }: FastifyRequest): number => routeOptions.bodyLimit

const encodingOf = ({ headers }: FastifyRequest): string | undefined =>
  headers['content-encoding']?.trim().toLowerCase()

const GZIP_NAMES: readonly (string | undefined)[] = ['gzip', 'x-gzip']
const isCompressed = (request: FastifyRequest): boolean => GZIP_NAMES.includes(encodingOf(request))

/** Node stops at the limit, so a small body that decompresses to gigabytes takes no more memory than any other. */
const gzipFailure = ({ code }: NodeJS.ErrnoException, bytesMax: number): ApiError =>
  code === 'ERR_BUFFER_TOO_LARGE'
    ? tooLarge(bytesMax)
    : invalidRequest([{ path: '', ...PROTOCOL_MESSAGES.body_not_gzip() }])

const NOTHING: Buffer = Buffer.alloc(0)

/**
 * Collects a body in one Buffer that grows with the data: the announced length is not trusted, and a million pieces of
 * one byte do not take the memory of a million Buffers.
 */
function collect(
  request: FastifyRequest,
  payload: Readable,
  holdBody: ReserveBody,
  done: (failure: ApiError | null, body: Buffer) => void,
): void {
  const announced = Number(request.headers['content-length'])
  const bytesMax = bytesMaxOf(request)
  if (announced > bytesMax) return done(tooLarge(bytesMax), NOTHING)
  let body = NOTHING
  let length = 0
  let holding: MemoryReservation | null = null
  const end = (failure: ApiError | null): void => {
    payload.off('data', take).off('end', finish).off('error', breakOff)
    holding?.release()
    done(failure, body.subarray(0, length))
  }
  const take = (piece: Buffer): void => {
    if (length + piece.length > bytesMax) return end(tooLarge(bytesMax))
    body = append(body, length, piece)
    length += piece.length
    // Most bodies arrive in one piece.
    if (length === announced) return
    if (holding === null) holding = holdBody(request, length)
    else holding.add(piece.length)
  }
  const finish = (): void => end(Number.isNaN(announced) || length === announced ? null : BODY_HEADERS_MISMATCH)
  const breakOff = (): void => end(BODY_HEADERS_MISMATCH)
  payload.on('data', take).on('end', finish).on('error', breakOff).resume()
}

function append(body: Buffer, length: number, piece: Buffer): Buffer {
  const needed = length + piece.length
  const roomy = needed <= body.length ? body : Buffer.allocUnsafe(length === 0 ? needed : 2 * needed)
  if (roomy !== body) body.copy(roomy, 0, 0, length)
  piece.copy(roomy, length)
  return roomy
}

function encodingRefusal(request: FastifyRequest): ApiError | null {
  const { headers } = request
  const charset = /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(headers['content-type'] ?? '')?.[1]
  if (charset !== undefined && !/^utf-?8$/i.test(charset)) {
    return new ApiError('unsupported_media_type', PROTOCOL_MESSAGES.body_charset({ charset: charset.slice(0, 40) }))
  }
  const encoding = encodingOf(request)
  if (encoding === undefined || encoding === 'identity' || isCompressed(request)) return null
  return new ApiError('unsupported_media_type', PROTOCOL_MESSAGES.body_encoding({ encoding: encoding.slice(0, 40) }))
}
