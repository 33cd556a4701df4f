// The types of the TypeScript client from the OpenAPI document, in few bytes: shapes without descriptions.

/** A JSON schema of the document. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: Schema | boolean
  readonly patternProperties?: Readonly<Record<string, Schema>>
  readonly default?: unknown
}

const SCALARS: Readonly<Record<string, string>> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
}

/** @returns the type in one line */
export function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1)!
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return union(schema.enum.map((value) => JSON.stringify(value)))
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return union(choices.map(typeOf))
  if (schema.type === 'array') return listOf(typeOf(schema.items ?? {}))
  if (schema.type === 'object') return objectOf(schema)
  if (schema.type === undefined) return 'unknown'
  const scalar = SCALARS[schema.type]
  if (!scalar) throw new Error(`A schema has the type ${schema.type}, which this script does not know`)
  return scalar
}

const union = (types: readonly string[]): string => [...new Set(types)].join(' | ')

const listOf = (item: string): string => (/ [|&] /.test(item) ? `(${item})[]` : `${item}[]`)

function objectOf(schema: Schema): string {
  const members = Object.entries(schema.properties ?? {}).map((entry) => memberOf(entry, schema))
  const other = valuesOf(schema)
  const open = other === null ? null : `Record<string, ${other}>`
  if (members.length === 0) return open ?? 'Record<string, unknown>'
  const closed = `{${members.join(';')}}`
  return open === null ? closed : `${closed} & ${open}`
}

/** The type of members that have no name of their own; null if there are none. */
function valuesOf({ additionalProperties, patternProperties }: Schema): string | null {
  if (typeof additionalProperties === 'object') return typeOf(additionalProperties)
  const [values] = Object.values(patternProperties ?? {})
  return values ? typeOf(values) : null
}

const memberOf = ([name, schema]: readonly [string, Schema], { required }: Schema): string =>
  `${nameOf(name)}${required?.includes(name) ? '' : '?'}:${typeOf(schema)}`

export const nameOf = (name: string): string => (/^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name))

/** One declaration for each schema of the document, with a member in each line. */
export function writeSchemas(schemas: Readonly<Record<string, Schema>>): string {
  return Object.entries(schemas)
    .map(([name, schema]) => {
      const members = Object.entries(schema.properties ?? {}).map((entry) => `${memberOf(entry, schema)}\n`)
      if (members.length === 0 || valuesOf(schema) !== null) return `export type ${name} = ${typeOf(schema)}\n`
      return `export interface ${name} {\n${members.join('')}}\n`
    })
    .join('')
}

/** A choice of literals, or an object, behind the name of a member or parameter; in parentheses in a list. */
const NAMED_TYPE = /(\w+)\??:(?:Many<)?\(?((?:"[^"]*" \| )+"[^"]*"|\{[^{}]*\})/g
const SAVED_CHARACTERS_MIN = 40

/** Gives what is written several times a name, that of the member where it is first. */
export function nameRepeated(text: string): string {
  const names = new Map<string, string>()
  for (const [, member, type] of text.matchAll(NAMED_TYPE)) names.set(type!, names.get(type!) ?? member!)
  const taken = new Set([...text.matchAll(/\b[A-Z]\w*/g)].map(([word]) => word))
  let named = text
  let declared = ''
  for (const [type, member] of names) {
    const count = named.split(type).length - 1
    if ((count - 1) * (type.length - member.length) < SAVED_CHARACTERS_MIN) continue
    const name = freeName(pascalCase(member), taken)
    taken.add(name)
    named = named.replaceAll(`(${type})`, name).replaceAll(type, name)
    declared += `export type ${name} = ${type}\n`
  }
  // Alternatives that were written out twice have one name now.
  return declared + named.replaceAll(/\b(\w+) \| \1\b(?!\[)/g, '$1')
}

const pascalCase = (name: string): string =>
  name.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())

const freeName = (name: string, taken: ReadonlySet<string>): string =>
  taken.has(name) ? freeName(`${name}Value`, taken) : name
