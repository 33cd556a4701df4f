// The OpenAPI document as the service serves it, for scripts that generate code from it.
import { join } from 'node:path'
import type { OpenAPI3 } from 'openapi-typescript'
import {
  BODY_BYTES_MAX,
  FEED_DAYS,
  JSON_NESTING_MAX,
  REQUEST_DATABASE_MS_MAX,
  REQUEST_MS_MAX,
  WEBHOOK_LIMITS,
} from '../src/config.ts'
import { VERSION } from '../src/version.ts'
import { readDatasetFiles } from '../src/reference-data/files.ts'
import { loadReferenceData } from '../src/reference-data/load.ts'
import { createServer, type HttpOptions } from '../src/http/server.ts'
import { withDeadline } from '../src/concurrency/deadline.ts'

/** The document follows from the figures alone: the server is asked for nothing else, and needs no database for it. */
export async function readServedDocument(): Promise<OpenAPI3> {
  const app = await createServer({
    version: VERSION,
    referenceData: loadReferenceData(readDatasetFiles(join(import.meta.dirname, '..', 'data'))),
    console: null,
    corsOrigins: [],
    publicUrl: null,
    feedDays: FEED_DAYS,
    webhookLimits: WEBHOOK_LIMITS,
    webhookRules: { ports: [443], allowsLoopback: false },
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
