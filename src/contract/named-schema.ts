// Components: schemas that are written once, and validated, documented and referred to by one name.
import Type, { type Static, type TSchema } from 'typebox'

export type NamedSchema = TSchema & { readonly $id: string }

/** Names a schema. The name is typed, so that a reference to it cannot go astray. */
export const namedSchema = <const Id extends string, Schema extends TSchema>($id: Id, schema: Schema) => ({
  ...schema,
  $id,
})

/** A reference to a component, with the component's own type. */
export const schemaRef = <Schema extends NamedSchema>(schema: Schema) =>
  Type.Unsafe<Static<Schema>>({ $ref: `${schema.$id}#` })
