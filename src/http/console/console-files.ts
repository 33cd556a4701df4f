// The console's files: those that were built, each under its own path and compressed beforehand, and no other.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { producing } from '../requests/negotiate.ts'
import { operationLabel } from '../serving/observe.ts'
import { sendFile, type StaticFile } from '../serving/static-files.ts'

export interface ConsoleFile extends StaticFile {
  /** Under which it is served. */
  readonly path: string
  /** Whether its name changes with its content, so that it can be kept for ever. */
  readonly isHashed: boolean
}

export interface Console {
  readonly files: readonly ConsoleFile[]
  /** First segments of the paths that are answered with the page itself, which finds out what to show. */
  readonly pages: readonly string[]
}

/** A sentence for whoever opens the console, where it could not be built. */
export interface ConsoleNotBuilt {
  readonly problem: string
}

const PAGE = '/index.html'

/** What the page may load and whom it may talk to: itself alone. Pictures are made of charts, for download. */
const POLICY =
  "default-src 'self'; img-src 'self' data: blob:; object-src 'none'; base-uri 'none'; form-action 'self'; " +
  "frame-ancestors 'none'"

export function serveConsole(app: FastifyInstance, console: Console | ConsoleNotBuilt): void {
  if ('problem' in console) {
    app.get('/', (_, reply) => secure(reply).code(503).type('text/plain; charset=utf-8').send(console.problem))
    return
  }
  const config = { ...operationLabel('getConsole'), ...producing('*/*') }
  for (const file of console.files) {
    const paths =
      file.path === PAGE ? ['/', ...console.pages.flatMap((page) => [`/${page}`, `/${page}/*`])] : [file.path]
    for (const path of paths) app.get(path, { config }, (request, reply) => send(request, reply, file))
  }
}

const secure = (reply: FastifyReply): FastifyReply =>
  reply
    .header('content-security-policy', POLICY)
    .header('x-content-type-options', 'nosniff')
    .header('referrer-policy', 'same-origin')
    .header('cross-origin-opener-policy', 'same-origin')

const send = (request: FastifyRequest, reply: FastifyReply, file: ConsoleFile): FastifyReply =>
  sendFile(request, secure(reply), file, file.isHashed ? 'public, max-age=31536000, immutable' : 'no-cache')
