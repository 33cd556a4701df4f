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

/** Each method has one of these types, if its input is required and if it is not; variants depend on a member of it. */
const METHOD_TYPES = ['', 'Optional']
  .map((optional) => {
    const input = `input${optional && '?'}`
    const options = 'options?: RequestOptions'
    return (
      `export type ${optional}Method<Input, Data> = (${input}: Input, ${options}) => Answer<Data>\n` +
      `export type ${optional}List<Input, Item, Page = Item[]> = ` +
      `(${input}: Input, ${options}) => Listing<Item, Page>\n` +
      `export type ${optional}Variants<Input, Usual, Data, Special, Other> = {\n` +
      `(${input}: Input & Usual, ${options}): Answer<Data>\n(input: Input & Special, ${options}): Answer<Other>\n}\n`
    )
  })
  .join('')

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
