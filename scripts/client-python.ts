// The Python client's models and methods from the OpenAPI document: a class for each schema, a signature with its row.
import {
  JSON_TYPE,
  contentOf,
  isFile,
  isPaged,
  itemMembersOf,
  operationsOf,
  parametersOf,
  rowOf,
  type Document,
  type Found,
  type Parameter,
} from './client-operations.ts'
import type { Schema } from './client-types.ts'

// A signature has no body: what is sent stands in its row.
const HEAD = `# mypy: disable-error-code="empty-body"
# pyright: reportReturnType=false
from __future__ import annotations

from typing import Any, Literal

from httpx import Response

from ._methods import answer, listing
from ._model import Body, Id, Many, Model, Number, Pages, Upload, named
`

const SCALARS: Readonly<Record<string, string>> = {
  string: 'str',
  number: 'Number',
  integer: 'int',
  boolean: 'bool',
  null: 'None',
}

/** Words of Python, and attributes of every model: a member of one of these names gets an underscore behind it. */
const TAKEN = new Set(
  (
    'and as assert async await break class continue def del elif else except finally for from global if import in is ' +
    'lambda nonlocal not or pass raise return try while with yield None True False ' +
    'construct copy dict fields json register schema validate mro self'
  ).split(' '),
)

/** Writes models; those of schemas without a name get one from where they are used. */
class Models {
  readonly #taken: Set<string>
  readonly #nameOf = new Map<string, string>()
  readonly #inline: string[] = []

  constructor(names: readonly string[]) {
    this.#taken = new Set(names)
  }

  /** The classes that have been needed so far beside those of the document. */
  get inline(): string {
    return this.#inline.join('')
  }

  /**
   * @param place where the schema stands, in the form of a class's name
   * @param isOpen true in what is received: a service may know more values than this document
   */
  typeOf(schema: Schema, place: string, isOpen = true): string {
    if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1)!
    if (schema.const !== undefined) return `Literal[${literal(schema.const)}]`
    if (schema.enum) return enumOf(schema.enum, isOpen)
    const choices = schema.anyOf ?? schema.oneOf
    if (choices) return union(choices.map((one) => this.typeOf(one, place, isOpen)))
    if (schema.type === 'array') return `list[${this.typeOf(schema.items ?? {}, place, isOpen)}]`
    if (schema.type === 'object') return this.#objectOf(schema, place)
    if (schema.type === undefined) return 'Any'
    const scalar = SCALARS[schema.type]
    if (!scalar) throw new Error(`A schema has the type ${schema.type}, which this script does not know`)
    return scalar
  }

  membersOf({ properties, required }: Schema, place: string): string {
    return Object.entries(properties ?? {})
      .map(([name, schema]) => {
        const type = this.typeOf(schema, place + pascalCase(name))
        const isRequired = required?.includes(name) ?? false
        return fieldOf(name, isRequired || type.endsWith('None') ? type : `${type} | None`, isRequired)
      })
      .join('')
  }

  #objectOf(schema: Schema, place: string): string {
    if (Object.keys(schema.properties ?? {}).length === 0) {
      const { additionalProperties, patternProperties } = schema
      const values = typeof additionalProperties === 'object' ? additionalProperties : undefined
      return `dict[str, ${this.typeOf(values ?? Object.values(patternProperties ?? {})[0] ?? {}, place)}]`
    }
    const members = this.membersOf(schema, place)
    const known = this.#nameOf.get(members)
    if (known !== undefined) return known
    let name = place
    while (this.#taken.has(name)) name += 'Value'
    this.#taken.add(name)
    this.#nameOf.set(members, name)
    this.#inline.push(`\n\nclass ${name}(Model):\n${members}`)
    return name
  }
}

const literal = (value: unknown): string =>
  value === true ? 'True' : value === false ? 'False' : value === null ? 'None' : JSON.stringify(value)

function enumOf(values: readonly unknown[], isOpen: boolean): string {
  const isText = values.every((value) => typeof value === 'string')
  return `Literal[${values.map(literal).join(', ')}]${isOpen && isText ? ' | str' : ''}`
}

const union = (types: readonly string[]): string => {
  const parts = [...new Set(types)].filter((type) => type !== 'None')
  return [...parts, ...(parts.length < new Set(types).size ? ['None'] : [])].join(' | ')
}

const pascalCase = (name: string): string =>
  name.replaceAll(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9]|$)/g, (_, letter: string) => letter.toUpperCase())

const snakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

const identifierOf = (name: string): string => {
  const word = name.replaceAll(/\W+/g, '_').replace(/^_+/, '')
  return TAKEN.has(word) ? `${word}_` : word
}

function fieldOf(name: string, type: string, isRequired: boolean): string {
  const identifier = identifierOf(name)
  const value =
    identifier === name ? (isRequired ? '' : ' = None') : ` = named(${literal(name)}${isRequired ? '' : ', None'})`
  return `    ${identifier}: ${type}${value}\n`
}

/** The whole file: version, models, and a class that has a method for each operation. */
export function writePython(document: Document): string {
  const { schemas } = document.components
  const models = new Models(Object.keys(schemas))
  const classes: string[] = []
  const aliases: string[] = []
  for (const [name, schema] of Object.entries(schemas)) {
    if (schema.properties && Object.keys(schema.properties).length > 0)
      classes.push(`\n\nclass ${name}(Model):\n${models.membersOf(schema, name)}`)
    // Behind all classes, since an alias is read at once.
    else aliases.push(`${name} = ${models.typeOf(schema, name)}\n`)
  }
  const methods = operationsOf(document).map((one) => methodOf(one, document, models))
  const version = `VERSION = ${literal(document.info['x-program-version'])}\n`
  const shapes = [...classes, models.inline].join('')
  return `${HEAD}\n${version}${shapes}\n\n${aliases.join('')}\n\nclass Operations:\n${methods.join('\n')}`
}

function methodOf(operation: Found, document: Document, models: Models): string {
  const { operationId, summary } = operation
  const place = operationId.charAt(0).toUpperCase() + operationId.slice(1)
  const parameters = parametersOf(operation).filter(({ name }) => !name.includes('{'))
  const isOpen = parameters.length < parametersOf(operation).length
  const isNeeded = ({ required }: Parameter) => required === true
  const body = operation.requestBody?.content[JSON_TYPE]?.schema
  const all = [
    ...parameters.filter(isNeeded).map((one) => parameterOf(one, models, place)),
    ...(body ? [`body: Body[${models.typeOf(body, `${place}Body`)}]`] : []),
    ...(isFile(operation) ? ['body: Upload'] : []),
    ...parameters.filter((one) => !isNeeded(one)).map((one) => parameterOf(one, models, place)),
  ]
  // Else a further parameter could be named `self`.
  const signature = [
    isOpen ? 'self, /' : 'self',
    ...(all.length > 0 ? ['*', ...all] : []),
    ...(isOpen ? ['**more: Any'] : []),
  ].join(', ')
  const decorator = `    @${isPaged(operation) ? 'listing' : 'answer'}(${literal(rowOf(operation, document))})\n`
  return (
    decorator +
    `    def ${snakeCase(operationId)}(${signature}) -> ${resultOf(operation, document, models, place)}:\n` +
    `        """${summary}."""\n`
  )
}

function parameterOf({ name, in: place, required, schema }: Parameter, models: Models, of: string): string {
  const identifier = identifierOf(place === 'header' ? name.toLowerCase() : name)
  const type =
    schema.type === 'array' ? `Many[${models.typeOf(schema.items ?? {}, of, false)}]` : models.typeOf(schema, of, false)
  const plain = place === 'path' && type === 'str' ? 'Id' : type
  return `${identifier}: ${plain}${required ? '' : ' | None = None'}`
}

/** What a method answers: a union where `format` or `preview` decides. */
function resultOf(operation: Found, document: Document, models: Models, place: string): string {
  const content = contentOf(operation)
  const schema = content[JSON_TYPE]?.schema
  if (Object.keys(content).length === 0) return 'None'
  if (!schema) return 'Response'
  const type = models.typeOf(schema, `${place}Answer`)
  if (!isPaged(operation)) return Object.keys(content).length > 1 ? `${type} | Response` : type
  const members = itemMembersOf(operation, document)
  const items = members.length === 0 ? [schema.items ?? {}] : members.map(([, items]) => items)
  return `Pages[${union(items.map((one) => models.typeOf(one, `${place}Item`)))}, ${type}]`
}
