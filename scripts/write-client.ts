// Writes what the clients have from the OpenAPI document: tables of operations, and types or models.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { API_ERRORS } from '../src/contract/errors.ts'
import { writeMethods, writeTable, type Document } from './client-operations.ts'
import { writePython } from './client-python.ts'
import { nameRepeated, writeSchemas } from './client-types.ts'
import { readServedDocument } from './served-document.ts'

const CLIENTS = join(import.meta.dirname, '..', 'clients')
const GENERATED = join(CLIENTS, 'typescript', 'src', 'generated')
const GENERATED_PYTHON = join(CLIENTS, 'python', 'src', 'cradle_client', '_operations.py')
const ABOUT = 'written by scripts/write-client.ts from the OpenAPI document; not edited by hand.'

/** Most methods have one of these two types. */
const METHOD_TYPES =
  'export type Method<Input, Result> = (input: Input, options?: RequestOptions) => Result\n' +
  'export type OptionalMethod<Input, Result> = (input?: Input, options?: RequestOptions) => Result\n'

/** The files of the TypeScript client that follow from the document, by their names. */
export function generatedFiles(document: Document): ReadonlyMap<string, string> {
  const codes = Object.keys(API_ERRORS).map((code) => `'${code}'`)
  const declarations =
    `export type ErrorCode = ${codes.join(' | ')}\n` +
    writeSchemas(document.components.schemas) +
    writeMethods(document)
  return new Map([
    ['operations.ts', `// The operations of the API, ${ABOUT}\n${writeTable(document)}`],
    [
      'api.d.ts',
      `// The types of the API, ${ABOUT}\n` +
        `import type { Answer, Listing } from '../answer.js'\n` +
        `import type { RequestOptions } from '../request.js'\n` +
        `import type { Upload } from '../upload.js'\n\n${METHOD_TYPES}${nameRepeated(declarations)}`,
    ],
  ])
}

/** The one file of the Python client that follows from the document. */
export const generatedPython = (document: Document): string =>
  `# The models and operations of the API, ${ABOUT}\n${writePython(document)}`

if (import.meta.main) {
  const document = (await readServedDocument()) as unknown as Document
  for (const [name, text] of generatedFiles(document)) writeFileSync(join(GENERATED, name), text)
  writeFileSync(GENERATED_PYTHON, generatedPython(document))
}
