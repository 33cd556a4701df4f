// The OpenAPI document and a page to read and try the API, which loads nothing from other hosts.
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import Fastify, { type FastifyInstance } from 'fastify'
import { entityTag } from './conditional-requests.ts'
import { JSON_TYPE } from '../../strict-json/json-number.ts'
import { sendFile, type StaticFile } from './static-files.ts'

const PREFIX = '/docs'
/** Files that the page loads in addition to the document under `/docs/json`. */
const FILES = [
  'swagger-ui.css',
  'index.css',
  'swagger-ui-bundle.js',
  'swagger-ui-standalone-preset.js',
  'swagger-initializer.js',
  'favicon-32x32.png',
  'favicon-16x16.png',
].map((name) => `${PREFIX}/static/${name}`)

const POLICY =
  "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; object-src 'none'; base-uri 'none'; " +
  "form-action 'none'; frame-ancestors 'none'"

/**
 * Serves every client, with or without a key, from memory; nothing is read or generated per response.
 * @param makeDocument is called at the first request: as objects, the document takes 3 MB, and most services are never
 * asked for it
 */
export function registerApiReference(app: FastifyInstance, makeDocument: () => object): void {
  const documentFile = once(() => toFile(JSON_TYPE, Buffer.from(JSON.stringify(makeDocument()))))
  for (const path of ['/openapi.json', `${PREFIX}/json`]) {
    app.get(path, async (request, reply) => sendFile(request, reply, await documentFile()))
  }
  const pageFiles = once(makePage)
  for (const path of [PREFIX, `${PREFIX}/`, ...FILES]) {
    app.get(path, async (request, reply) => {
      const file = (await pageFiles()).get(path)!
      return sendFile(request, reply.header('content-security-policy', POLICY), file)
    })
  }
}

/** Calls `make` on the first use; concurrent callers share its result. */
function once<Made>(make: () => Promise<Made>): () => Promise<Made> {
  let made: Promise<Made> | null = null
  return () => (made ??= make())
}

async function toFile(type: string, identity: Buffer): Promise<StaticFile> {
  return { type, etag: entityTag(identity), bodies: { identity, gzip: await promisify(gzip)(identity) } }
}

/** Fetches the files from the library through a server of its own that listens on no port. */
async function makePage(): Promise<ReadonlyMap<string, StaticFile>> {
  const maker = Fastify()
  await maker.register(swagger, { mode: 'static', specification: { document: {} as never } })
  await maker.register(swaggerUi, {
    routePrefix: PREFIX,
    uiConfig: { deepLinking: true, displayRequestDuration: true, docExpansion: 'list', layout: 'BaseLayout' },
    theme: { title: 'Cradle API' },
    logo: { type: 'image/svg+xml', content: '<svg xmlns="http://www.w3.org/2000/svg"/>' },
  })
  const files = [PREFIX, `${PREFIX}/`, ...FILES].map(async (path) => {
    const { statusCode, headers, rawPayload } = await maker.inject(path)
    if (statusCode !== 200) throw new Error(`The library has no ${path}`)
    return [path, await toFile(String(headers['content-type']), rawPayload)] as const
  })
  const made = new Map(await Promise.all(files))
  await maker.close()
  return made
}
