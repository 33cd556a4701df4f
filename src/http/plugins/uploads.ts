// Files on their way in: handed over as they come, and given the time that a large one takes on a slow line.
import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import type { FastifyContextConfig, FastifyInstance, FastifyRequest } from 'fastify'
import { ApiError } from '../../contract/errors.ts'
import { FILE_TYPES } from '../routes/import-settings.ts'

export const FILE_BYTES_MAX = 2 ** 30
export const FILE_TOO_LARGE = new ApiError('too_large', 'The file is larger than 1 GiB; send it in several')

interface RouteConfig {
  readonly takesFiles?: boolean
}

/** What a route says of itself that takes files. */
export const ACCEPTS_FILE = { takesFiles: true } as FastifyContextConfig & RouteConfig

export const acceptsFile = ({ routeOptions }: FastifyRequest): boolean =>
  (routeOptions.config as RouteConfig).takesFiles === true

/** A sender that is silent for so long has gone. */
const SILENT_MS_MAX = 30_000

const uploading = new WeakSet<Socket>()

/**
 * Node ends every request that takes longer than an order may. Of a file that is still coming in it is not to: it says
 * so once, and from then on the silence of the sender counts.
 */
export const isUploadError = ({ code }: NodeJS.ErrnoException, socket: Socket): boolean =>
  code === 'ERR_HTTP_REQUEST_TIMEOUT' && uploading.has(socket)

export function registerUploads(app: FastifyInstance): void {
  app.addContentTypeParser([...FILE_TYPES], (request, payload, done) => {
    // Where there is nothing, that comes first.
    if (request.is404) return done(null)
    if (!acceptsFile(request)) return done(new ApiError('unsupported_media_type', 'Send the body as application/json'))
    if (Number(request.headers['content-length']) > FILE_BYTES_MAX) return done(FILE_TOO_LARGE)
    done(null, watched(request, payload))
  })
}

function watched({ raw: { socket } }: FastifyRequest, payload: Readable): Readable {
  uploading.add(socket)
  // Of a request answered before its end nobody tells that its connection has gone; no timer is to wait for it.
  const silence = setTimeout(() => socket.destroy(), SILENT_MS_MAX).unref()
  payload.on('data', () => silence.refresh())
  payload.pause()
  payload.once('close', () => {
    clearTimeout(silence)
    uploading.delete(socket)
  })
  return payload
}
