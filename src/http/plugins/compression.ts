// Compresses responses with brotli or gzip for clients that accept it.
import { promisify } from 'node:util'
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib'
import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { addVary } from './vary.ts'

/** Smaller responses fit into one packet whether they are compressed or not. */
const BYTES_MIN = 1_024
/** Of a request that writes: the response to an order is small, and must not wait for its compression. */
const WRITTEN_BYTES_MIN = 16 * 1_024
/** Up to this size, handing the work to another thread costs more than the work: some 80 µs. */
const AT_ONCE_BYTES_MAX = 16 * 1_024
/** Of Node's four threads for such work, two remain for files and host names. Further responses are not compressed. */
const IN_PROGRESS_MAX = 2

/** The fastest levels: twice the time saves a further 2 % of the size of a list of models. */
const GZIP = { level: constants.Z_BEST_SPEED }
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }

const ENCODINGS = ['br', 'gzip'] as const
type Encoding = (typeof ENCODINGS)[number]

const now: Readonly<Record<Encoding, (body: string | Buffer) => Buffer>> = {
  br: (body) => brotliCompressSync(body, BROTLI),
  gzip: (body) => gzipSync(body, GZIP),
}
const brotliInThread = promisify(brotliCompress)
const gzipInThread = promisify(gzip)
const inThread: Readonly<Record<Encoding, (body: string | Buffer) => Promise<Buffer>>> = {
  br: (body) => brotliInThread(body, BROTLI),
  gzip: (body) => gzipInThread(body, GZIP),
}

interface RouteConfig {
  readonly hasSecret?: boolean
}

/**
 * Route configuration of a response with a secret. It is never compressed: from the size of a compressed response, who
 * can choose other parts of it could guess the secret (BREACH).
 */
export const WITH_SECRET = { hasSecret: true } as FastifyContextConfig & RouteConfig

/**
 * Not compressed are errors and responses with a secret; what is sent piece by piece, since each piece would wait for
 * the compression; and files that are compressed already, which includes the console.
 */
export function compressResponses(app: FastifyInstance): void {
  let inProgress = 0
  app.addHook('onSend', (request, reply, payload, done) => {
    if (!isCompressible(request, reply, payload)) return done(null, payload)
    addVary(reply, 'Accept-Encoding')
    const encoding = encodingFor(request)
    if (encoding === null) return done(null, payload)
    const send = (body: Buffer) => {
      void reply.header('content-encoding', encoding).removeHeader('content-length')
      done(null, body)
    }
    if (payload.length <= AT_ONCE_BYTES_MAX) return send(now[encoding](payload))
    if (inProgress >= IN_PROGRESS_MAX) return done(null, payload)
    inProgress += 1
    inThread[encoding](payload)
      .finally(() => (inProgress -= 1))
      .then(send, done)
  })
}

function isCompressible(request: FastifyRequest, reply: FastifyReply, payload: unknown): payload is string | Buffer {
  if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return false
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  if (payload.length < (isRead ? BYTES_MIN : WRITTEN_BYTES_MIN)) return false
  if (reply.statusCode >= 300 || isEncodedByRoute(reply)) return false
  if ((request.routeOptions.config as RouteConfig).hasSecret === true) return false
  return /^(application\/([\w.-]+\+)?json|text\/)/.test(String(reply.getHeader('content-type')))
}

/** Files that are kept compressed in memory. */
const isEncodedByRoute = (reply: FastifyReply): boolean => /accept-encoding/i.test(String(reply.getHeader('vary')))

/** Brotli where both are accepted: it is the faster and the smaller of the two. */
function encodingFor(request: FastifyRequest): Encoding | null {
  if (request.headers['accept-encoding'] === undefined) return null
  const accepts = request.accepts()
  return ENCODINGS.find((one) => accepts.encoding([one]) !== false) ?? null
}
