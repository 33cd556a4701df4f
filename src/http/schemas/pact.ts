// Request and response schemas of the OAuth clients of customers.
import Type, { type Static } from 'typebox'
import { namedSchema } from '../../contract/named-schema.ts'
import { NO_CONTROL_CHARACTERS, text } from '../../contract/order-schema.ts'
import type { PactClient as StoredClient } from '../../postgres/pact-clients.ts'

export const PactClientParams = namedSchema(
  'PactClientParams',
  Type.Object(
    {
      customer_id: text('The customer whose footprints the client may read.', ['customer-17']),
      label: text('Label of the client, such as the name of the customer or its software.', [
        'Sustainability platform of customer 17',
      ]),
      events: Type.Optional(
        Type.Object(
          {
            url: Type.String({
              description: 'Base URL of the customer’s own PACT interface: https, and a public address.',
              examples: ['https://pact.example.com'],
              minLength: 1,
              maxLength: 1000,
              pattern: NO_CONTROL_CHARACTERS,
            }),
            client_id: text('Identifier for the token endpoint of that interface.', ['cradle']),
            client_secret: text('Secret for the token endpoint of that interface. No response contains it.', ['…']),
          },
          {
            description:
              'The PACT interface to send events to. Without it, the customer must list the footprints to learn what ' +
              'changed.',
          },
        ),
      ),
    },
    { description: 'A client to create.' },
  ),
)
export type WirePactClient = Static<typeof PactClientParams>

const time = Type.String({ format: 'date-time' })
const members = {
  client_id: Type.String({ description: 'Identifier with which the client asks for access tokens.' }),
  customer_id: Type.String({ description: 'The customer whose footprints the client may read.' }),
  label: Type.String({ description: 'Label of the client.' }),
  events_url: Type.Union([Type.String(), Type.Null()], {
    description: 'URL that events are sent to; null if none are sent.',
  }),
  created_at: time,
  revoked_at: Type.Union([time, Type.Null()], { description: 'When the client was revoked; null if it is valid.' }),
}

export const PactClient = namedSchema(
  'PactClient',
  Type.Object(members, { description: 'An OAuth client, without its secret.' }),
)

export const NewPactClient = namedSchema(
  'NewPactClient',
  Type.Object(
    {
      client_secret: Type.String({ description: 'The secret. It is returned only once and is not stored.' }),
      ...members,
    },
    { description: 'A new OAuth client with its secret.' },
  ),
)

export const printClient = ({ clientId, customerId, label, eventsUrl, createdAt, revokedAt }: StoredClient) => ({
  client_id: clientId,
  customer_id: customerId,
  label,
  events_url: eventsUrl,
  created_at: createdAt.toISOString(),
  revoked_at: revokedAt && revokedAt.toISOString(),
})
