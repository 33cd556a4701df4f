// Writes what the TypeScript client has from the OpenAPI document: its table of operations and its types.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { API_ERRORS } from '../src/contract/errors.ts'
import { writeMethods, writeTable, type Document } from './client-operations.ts'
import { nameRepeated, writeSchemas } from './client-types.ts'
import { readServedDocument } from './served-document.ts'

const GENERATED = join(import.meta.dirname, '..', 'clients', 'typescript', 'src', 'generated')

/** Most methods have one of these two types. */
const METHOD_TYPES =
  'export type Method<Input, Result> = (input: Input, options?: RequestOptions) => Result\n' +
  'export type OptionalMethod<Input, Result> = (input?: Input, options?: RequestOptions) => Result\n'

/** The files of the client that follow from the document, by their names. */
export function generatedFiles(document: Document): ReadonlyMap<string, string> {
  const about = 'written by scripts/write-client.ts from the OpenAPI document; not edited by hand.'
  const codes = Object.keys(API_ERRORS).map((code) => `'${code}'`)
  const declarations =
    `export type ErrorCode = ${codes.join(' | ')}\n` +
    writeSchemas(document.components.schemas) +
    writeMethods(document)
  return new Map([
    ['operations.ts', `// The operations of the API, ${about}\n${writeTable(document)}`],
    [
      'api.d.ts',
      `// The types of the API, ${about}\n` +
        `import type { Answer, Listing } from '../answer.js'\n` +
        `import type { RequestOptions } from '../request.js'\n` +
        `import type { Upload } from '../upload.js'\n\n${METHOD_TYPES}${nameRepeated(declarations)}`,
    ],
  ])
}

if (import.meta.main) {
  for (const [name, text] of generatedFiles((await readServedDocument()) as unknown as Document))
    writeFileSync(join(GENERATED, name), text)
}
