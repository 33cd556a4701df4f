// File uploads: passed on as they arrive, with as much time as a large file takes on a slow connection.
import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ApiError } from '../../contract/errors.ts'
import { UPLOAD_TYPES } from '../routes/import-settings.ts'
import { acceptsFile } from './file-routes.ts'
import { FORM_BYTES_MAX, isForm } from './forms.ts'
import { wrongMediaType } from '../errors.ts'
import { PROTOCOL_MESSAGES } from '../messages.ts'

export const FILE_BYTES_MAX = 2 ** 30
export const FILE_TOO_LARGE = new ApiError('too_large', PROTOCOL_MESSAGES.file_too_large())

/** A sender that is silent for this long is regarded as disconnected. */
const SILENT_MS_MAX = 30_000

const uploading = new WeakSet<Socket>()

/**
 * Node times out every request that takes longer than an order may. For an upload in progress, this error is ignored;
 * it is raised only once, and from then on the sender's silence is limited instead.
 */
export const isUploadError = ({ code }: NodeJS.ErrnoException, socket: Socket): boolean =>
  code === 'ERR_HTTP_REQUEST_TIMEOUT' && uploading.has(socket)

export function registerUploads(app: FastifyInstance): void {
  app.addContentTypeParser([...UPLOAD_TYPES], (request, payload, done) => {
    // An unknown path takes precedence.
    if (request.is404) return done(null)
    if (!acceptsFile(request)) return done(wrongMediaType(request))
    const encoding = request.headers['content-encoding']
    if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
      return done(new ApiError('unsupported_media_type', PROTOCOL_MESSAGES.file_encoding()))
    const bytesMax = FILE_BYTES_MAX + (isForm(request) ? FORM_BYTES_MAX : 0)
    if (Number(request.headers['content-length']) > bytesMax) return done(FILE_TOO_LARGE)
    done(null, watched(request, payload))
  })
}

function watched({ raw: { socket } }: FastifyRequest, payload: Readable): Readable {
  uploading.add(socket)
  // For a request that is answered before its end, no event reports that its connection was closed; `unref` keeps the
  // timer from delaying the exit.
  const silence = setTimeout(() => socket.destroy(), SILENT_MS_MAX).unref()
  payload.on('data', () => silence.refresh())
  payload.pause()
  payload.once('close', () => {
    clearTimeout(silence)
    uploading.delete(socket)
  })
  return payload
}
