// Schemas of an account's own figures as they are returned.
import Type, { type TObject } from 'typebox'
import { namedSchema, type NamedSchema } from '../../contract/named-schema.ts'
import { OWN_FIGURE_SCHEMAS, type FigureKind } from '../../contract/own-figure-schema.ts'

const stored = <const Id extends string>(id: Id, kind: FigureKind, what: string): NamedSchema =>
  namedSchema(
    id,
    Type.Object(
      {
        id: Type.String({ description: 'Identifier.' }),
        version: Type.Integer({ description: 'From 1; every change of the content is a new version.', minimum: 1 }),
        origin: Type.Literal('account', { description: "A figure of the account's own." }),
        created_at: Type.String({ format: 'date-time', description: 'When this version was stored.' }),
        ...(OWN_FIGURE_SCHEMAS[kind] as unknown as TObject).properties,
      },
      { description: `${what} of the account's own, in one version.` },
    ),
  )

export const OwnDeviceModel = stored('OwnDeviceModel', 'device-model', 'A device model')
export const OwnTransportation = stored('OwnTransportation', 'transportation', 'A factor of freight')
export const OwnPackaging = stored('OwnPackaging', 'packaging', 'A packaging')
export const OwnLifetime = stored('OwnLifetime', 'lifetime', 'The lifetime of a type of device')
export const OwnGridFactor = stored('OwnGridFactor', 'grid-factor', 'The electricity of a country in one year')
export const OwnGridMonth = stored('OwnGridMonth', 'grid-month', 'The electricity of a country in one month')
export const OwnResidualMixFactor = stored('OwnResidualMixFactor', 'residual-mix', 'The residual mix of a country')
export const OwnGridLossShare = stored('OwnGridLossShare', 'grid-loss', 'The grid losses of a country in one year')
export const OwnInstrument = stored('OwnInstrument', 'instrument', 'A contract, certificates or a supplier’s rate')

export const StoredFigures = namedSchema(
  'StoredFigures',
  Type.Object(
    {
      number_of_figures: Type.Integer({ description: 'Rows of the file.', minimum: 1 }),
      number_of_changes: Type.Integer({ description: 'Of them, those whose content is new.', minimum: 0 }),
    },
    { description: 'What a file of figures stored.' },
  ),
)
