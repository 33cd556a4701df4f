// Schemas of closed periods: until when the books of an account are closed, and each time that changed.
import Type, { type Static } from 'typebox'
import { namedSchema } from '../../contract/named-schema.ts'
import { text } from '../../contract/order-schema.ts'
import type { PeriodClosing } from '../../postgres/period-closings.ts'

const closedUntil = Type.Union([Type.String({ format: 'date', examples: ['2026-01-01'] }), Type.Null()], {
  description:
    'First open day: the books are closed for all days before it. Null if they are open for all days. At most the ' +
    'current day in UTC.',
})

export const PeriodParams = namedSchema(
  'PeriodParams',
  Type.Object(
    {
      closed_until: closedUntil,
      reason: Type.Optional(text('Why closed days are reopened; required for that.', ['Missing returns'])),
    },
    { description: 'Until when the books are to be closed.' },
  ),
)

export const Periods = namedSchema(
  'Periods',
  Type.Object(
    {
      books_closed_until: closedUntil,
      closings: Type.Array(
        Type.Object({
          closed_until: closedUntil,
          kind: Type.Enum(['closed', 'reopened', 'upgraded'], {
            description:
              'upgraded: an upgrade of the service closed the days before it, so that past reports did not change.',
          }),
          recorded_at: Type.String({ format: 'date-time' }),
          key: Type.Union([Type.String(), Type.Null()], {
            description: 'First and last characters of the key with which it was recorded.',
          }),
          reason: Type.Union([Type.String(), Type.Null()]),
        }),
        { description: 'Each time the books were closed or reopened, the latest first.' },
      ),
    },
    { description: 'Until when the books of the account are closed.' },
  ),
)

export type WirePeriod = Static<typeof PeriodParams>

/** @param closings the latest first */
export const printPeriods = (closings: readonly PeriodClosing[]) => ({
  books_closed_until: closings[0]?.closedUntil ?? null,
  closings: closings.map((one) => ({
    closed_until: one.closedUntil,
    kind: one.kind,
    recorded_at: one.recordedAt.toISOString(),
    key: one.keyHint,
    reason: one.reason,
  })),
})
