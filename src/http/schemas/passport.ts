// Schemas of the passport of a device, and of its events as a document of EPCIS 2.0.
import Type from 'typebox'
import { DEVICE_TYPES } from '../../engine/reference/reference-data.ts'
import { namedSchema, schemaRef } from '../../contract/named-schema.ts'
import { DECOMMISSIONING_TYPES } from '../../engine/device-event-types.ts'
import { MATCH_LEVELS } from '../../engine/uncertainty/data-quality.ts'
import { PASSPORT_SCHEMA } from '../../passports/passport.ts'
import { Source, emissionUnit } from './response.ts'
import { decimal, hashMember, signatureMember, signingKey } from './statement.ts'

const uri = (description: string) => Type.String({ description })
const day = (description: string) => Type.String({ format: 'date', description })
const orNull = (kind: ReturnType<typeof Type.String>, description: string) =>
  Type.Union([kind, Type.Null()], { description })
/** An object whose members another standard defines. */
const open = (description: string) => Type.Unsafe<object>({ type: 'object', description, additionalProperties: true })
const time = Type.String({ format: 'date-time', description: 'Time of the last change.' })

export const EpcisDocument = namedSchema(
  'EpcisDocument',
  Type.Object(
    {
      '@context': Type.Array(Type.String()),
      type: Type.Literal('EPCISDocument'),
      schemaVersion: Type.Literal('2.0'),
      creationDate: time,
      epcisBody: Type.Object({
        eventList: Type.Array(open('An ObjectEvent or TransactionEvent, with its hash by CBV 2.0 as `eventID`.')),
      }),
    },
    { description: 'What happened to a device, as EPCIS 2.0 in JSON-LD. Customers and orders have pseudonyms.' },
  ),
)

const life = Type.Object(
  {
    customer: uri('Pseudonym of the customer, for this device alone.'),
    order: uri('Pseudonym of the order, as in the events.'),
    from: day('First day.'),
    to: day('Day after the last day.'),
    ended_by: Type.Optional(
      Type.String({ description: 'Event that ended the rental; absent if `to` is the day that was agreed.' }),
    ),
    country: orNull(Type.String(), 'Country of use; null if the order states none.'),
    months: decimal('Months until its end.'),
    embodied_emission: decimal('Share of the embodied emission, kg CO2e.'),
    use_emission: decimal('Emission from use, kg CO2e.'),
    unit: emissionUnit,
    method: Type.String(),
  },
  { description: 'A rental.' },
)

export const DevicePassport = namedSchema(
  'DevicePassport',
  Type.Object(
    {
      '@context': Type.Array(open('Names of the members in JSON-LD.')),
      '@type': Type.Array(Type.String()),
      DigitalProductPassportId: uri('Always the same for this device of this account.'),
      UniqueProductIdentifier: uri('Follows from the key of the account and the serial number: no GTIN is known.'),
      Granularity: Type.Literal('Item'),
      DppSchemaVersion: Type.Literal(PASSPORT_SCHEMA),
      DppStatus: Type.Enum(['active', 'inactive'], { description: 'Inactive once the device was retired or lost.' }),
      LastUpdated: time,
      EconomicOperatorId: uri('The lessor, by the thumbprint of its key (RFC 9278).'),
      issuer: Type.Object({ account: Type.String(), role: Type.Literal('lessor') }),
      serial_number: Type.String(),
      model: Type.Object({
        id: Type.String(),
        name: Type.String(),
        brand: orNull(Type.String(), 'Null if unknown.'),
        type: Type.String(),
        match_level: Type.Enum([...MATCH_LEVELS]),
        dataset_release: Type.String(),
      }),
      embodied: Type.Object({
        value: decimal('kg CO2e.'),
        unit: emissionUnit,
        interval: Type.Object({ low: decimal(), high: decimal(), level: decimal() }),
        type: Type.Enum(['estimated', 'indicative']),
        source: schemaRef(Source),
      }),
      electricity: Type.Object({
        kwh_per_year: orNull(decimal(), 'Null if unknown.'),
        stated_by: orNull(Type.String(), 'The sheet, or what else the electricity follows from.'),
        emission_over_lifetime: orNull(decimal(), 'In the scenario of the maker, kg CO2e; null if unknown.'),
        unit: emissionUnit,
      }),
      lives: Type.Array(life, { description: 'The rentals that occupied time, in order.' }),
      refurbishments: Type.Array(
        Type.Object({
          date: day('Day on which it was ready.'),
          emission_added: decimal(),
          unit: emissionUnit,
          months_added: decimal(),
          emission_default: Type.Optional(
            Type.Object(
              {
                device_type: Type.Enum([...DEVICE_TYPES]),
                low: decimal(),
                high: decimal(),
                dataset_release: Type.String(),
              },
              { description: 'Nobody stated the emission: it is the default of the type, within this range.' },
            ),
          ),
        }),
      ),
      left: Type.Optional(
        Type.Object({
          date: day('Day on which it was retired or lost.'),
          reason: Type.Enum([...DECOMMISSIONING_TYPES]),
        }),
      ),
      balance: Type.Object(
        {
          embodied_total: decimal(),
          allocated: decimal(),
          remaining: decimal(),
          unallocated: decimal(),
          unit: emissionUnit,
          lifetime_months: decimal(),
          remaining_months: decimal(),
          fully_amortised: Type.Boolean(),
        },
        { description: 'embodied_total = allocated + remaining + unallocated; allocated is the sum of the lives.' },
      ),
      events: schemaRef(EpcisDocument),
      notes: Type.Array(Type.String()),
      signed_by: Type.Object(signingKey),
      hash: hashMember,
      signature: signatureMember,
    },
    { description: 'Signed record of a device by its lessor, with the header of EN 18223. See docs/passports.md.' },
  ),
)
