// Components: schemas that are written once, and validated, documented and referred to by one name.
import Type, { type Static, type TSchema } from 'typebox'

export type Component = TSchema & { readonly $id: string }

/** Names a schema. The name is typed, so that a reference to it cannot go astray. */
export const component = <const Id extends string, Schema extends TSchema>($id: Id, schema: Schema) => ({
  ...schema,
  $id,
})

/** A reference to a component, with the component's own type. */
export const ref = <Schema extends Component>(schema: Schema) => Type.Unsafe<Static<Schema>>({ $ref: `${schema.$id}#` })
