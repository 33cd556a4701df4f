// Writes the types of the API as its document has them now, for the console's client; run before types are checked.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import openapiTypes, { astToString } from 'openapi-typescript'
import { readServedDocument } from './served-document.ts'

const GENERATED = join(import.meta.dirname, '..', 'console', 'generated')

mkdirSync(GENERATED, { recursive: true })
const text = astToString(await openapiTypes(await readServedDocument()))
writeFileSync(join(GENERATED, 'openapi.d.ts'), `// The types of the API, written by write-api-types.ts.\n${text}`)
