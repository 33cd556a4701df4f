// Named schemas: components that are defined once and referenced by name for validation and in the OpenAPI document.
import Type, { type Static, type TSchema } from 'typebox'

export type NamedSchema = TSchema & { readonly $id: string }

/** Names a schema. The type includes the name, so that the compiler checks references to it. */
export const namedSchema = <const Id extends string, Schema extends TSchema>($id: Id, schema: Schema) => ({
  ...schema,
  $id,
})

/** A reference to a named schema, with the static type of that schema. */
export const schemaRef = <Schema extends NamedSchema>(schema: Schema) =>
  Type.Unsafe<Static<Schema>>({ $ref: `${schema.$id}#` })
