// Schemas of closed periods: until when the books of an account are closed, and each time that changed.
import Type, { type Static } from 'typebox'
import { namedSchema } from '../../contract/named-schema.ts'
import { text } from '../../contract/order-schema.ts'
import type { PeriodClosing } from '../../postgres/period-closings.ts'
import { emissionUnit } from './response.ts'

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
        { description: 'Each time the books were closed or reopened, the latest first, page by page.' },
      ),
    },
    { description: 'Until when the books of the account are closed.' },
  ),
)

const kg = (description: string) => Type.Number({ description })

export const ClosingPreview = namedSchema(
  'ClosingPreview',
  Type.Object(
    {
      is_preview: Type.Literal(true, { description: 'Nothing was recorded.' }),
      kind: Type.Enum(['closed', 'reopened', 'unchanged'], { description: 'What the request would do.' }),
      books_closed_until: closedUntil,
      closed_until: closedUntil,
      emission_unit: emissionUnit,
      total_emission: kg('Sum of all years of customers, listed or not.'),
      number_of_customer_years: Type.Integer({ minimum: 0, description: 'Years of customers, listed or not.' }),
      customer_years: Type.Array(
        Type.Object({
          customer_id: Type.String(),
          year: Type.Integer(),
          total_emission: kg('Emission from the beginning of the year up to the first open day.'),
          is_complete: Type.Boolean({
            description: 'True if all of the year is then closed, or was closed: its statement is final.',
          }),
        }),
        {
          description:
            'What becomes final: the years with days that would be closed. For a reopening, those with days that ' +
            'would be opened. The 1,000 with the largest emissions.',
        },
      ),
      overdue_rentals: Type.Union(
        [
          Type.Array(
            Type.Object({
              customer_id: Type.String(),
              order_id: Type.String(),
              serial_number: Type.String(),
              agreed_end: Type.String({ format: 'date', description: 'Day after the last one agreed.' }),
            }),
          ),
          Type.Null(),
        ],
        {
          description:
            'Rentals whose agreed end lies in the days to be closed, without a return, extension, further rental, ' +
            'retirement or loss of the device. They count until their agreed end. The first 100 by serial number; ' +
            'null if the account has so many entries that they cannot be found in time.',
        },
      ),
      has_more_overdue_rentals: Type.Union([Type.Boolean(), Type.Null()], {
        description: 'True if there are more than are listed; null like the list.',
      }),
    },
    { description: 'What closing or reopening the books would change.' },
  ),
)

export const CorrectedYears = namedSchema(
  'CorrectedYears',
  Type.Object(
    {
      emission_unit: emissionUnit,
      restatement_threshold_percent: Type.Number({ description: 'The setting of the account.' }),
      number_of_corrected_years: Type.Integer({ minimum: 0, description: 'Years of customers, listed or not.' }),
      number_of_proposed_restatements: Type.Integer({ minimum: 0, description: 'Of these, listed or not.' }),
      corrected_years: Type.Array(
        Type.Object({
          customer_id: Type.String(),
          year: Type.Integer(),
          statement_emission: kg('Total of the year’s statement, which later corrections do not change.'),
          corrections_emission: kg(
            'What concerns the year but counts in a later one. Statements of later years list it as ' +
              'corrections_of_earlier_years.',
          ),
          corrected_emission: kg('Sum of the two: the total if everything had been known before closing.'),
          corrections_percent: Type.Union([Type.Number(), Type.Null()], {
            description: 'Corrections in percent of the statement’s total; null if that is 0.',
          }),
          proposes_restatement: Type.Boolean({ description: 'True if the corrections exceed the threshold.' }),
        }),
        { description: 'Those that propose a restatement first, then those with the largest corrections.' },
      ),
    },
    { description: 'Years of customers that were corrected after their books had been closed.' },
  ),
)

export type WirePeriod = Static<typeof PeriodParams>

/** @param closings the latest first */
export const printPeriods = (closedUntil: string | null, closings: readonly PeriodClosing[]) => ({
  books_closed_until: closedUntil,
  closings: closings.map((one) => ({
    closed_until: one.closedUntil,
    kind: one.kind,
    recorded_at: one.recordedAt.toISOString(),
    key: one.keyHint,
    reason: one.reason,
  })),
})
