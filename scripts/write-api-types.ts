// Writes the types of the API as its document has them now, for the console's client; run before types are checked.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import openapiTypes, { astToString, type OpenAPI3 } from 'openapi-typescript'
import { BODY_BYTES_MAX, JSON_NESTING_MAX, REQUEST_DATABASE_MS_MAX, REQUEST_MS_MAX } from '../src/config.ts'
import { VERSION } from '../src/version.ts'
import { readDatasetFiles } from '../src/reference-data/files.ts'
import { loadReferenceData } from '../src/reference-data/load.ts'
import { createServer, type HttpOptions } from '../src/http/server.ts'
import { withDeadline } from '../src/concurrency/deadline.ts'

const ROOT = join(import.meta.dirname, '..')
const GENERATED = join(ROOT, 'console', 'generated')

/** The document follows from the figures alone: the server is asked for nothing else, and needs no database for it. */
async function readDocument(): Promise<OpenAPI3> {
  const app = await createServer({
    version: VERSION,
    referenceData: loadReferenceData(readDatasetFiles(join(ROOT, 'data'))),
    console: null,
    corsOrigins: [],
    logger: false,
    isBacklogged: () => false,
    databaseMsMax: REQUEST_DATABASE_MS_MAX,
    withDeadline,
    onAnswered: null,
    traceRequest: null,
    bodyBytesMax: BODY_BYTES_MAX,
    jsonNestingMax: JSON_NESTING_MAX,
    requestMsMax: REQUEST_MS_MAX,
  } as Partial<HttpOptions> as HttpOptions)
  const document = (await app.inject('/openapi.json')).json<OpenAPI3>()
  await app.close()
  return document
}

mkdirSync(GENERATED, { recursive: true })
const text = astToString(await openapiTypes(await readDocument()))
writeFileSync(join(GENERATED, 'openapi.d.ts'), `// The types of the API, written by write-api-types.ts.\n${text}`)
