// Hostile bodies for every number: both sides of each bound, spellings, what a double cannot carry, what is no JSON.
import type { HostileCase, Workbench } from './hostile-order.ts'

type NumberField = { readonly at: string; readonly good: readonly string[]; readonly bad: readonly string[] }

const WEIGHT_GOOD = [
  '40000',
  '4e4',
  '40000.0',
  '39999.999999',
  '0.000001',
  '1e-7',
  '0.30000000000000004',
  '1.1E+1',
  '5e-324',
]
const WEIGHT_BAD = ['40000.000001', '40000.00000000001', '40001', '1e5', '1e12', '-1', '-0.0001', '-5e-324', '-40000']

const FIELDS: readonly NumberField[] = [
  {
    at: '/items/0/config/tenure_months',
    good: ['0', '-0', '0e5', '1', '1200', '1200.0', '1e3', '0.12e4', '3.0', '30e-1', '12000e-1'],
    bad: [
      '-1',
      '-0.5',
      '1201',
      '1200.1',
      '1.5',
      '1e4',
      '0.000001',
      '12.0000001',
      '1e12',
      '2147483648',
      '9007199254740991',
    ],
  },
  { at: '/items/0/config/weight_kg', good: WEIGHT_GOOD, bad: [...WEIGHT_BAD, '0', '-0', '0.0', '0e9'] },
  {
    at: '/items/1/config/distance_km',
    good: ['0', '-0', '50000', '5e4', '50000.0', '49999.9', '0.001', '0.30000000000000004'],
    bad: ['50000.1', '50000.000001', '50001', '1e12', '-1', '-0.0001', '-5e-324'],
  },
  { at: '/items/1/config/weight_kg', good: [...WEIGHT_GOOD, '0', '-0', '0.0'], bad: WEIGHT_BAD },
  { at: '/items/2/config/weight_kg', good: [...WEIGHT_GOOD, '0', '-0', '0.0'], bad: WEIGHT_BAD },
]

/** Valid JSON whose value would change on the way through a double. */
const LOSSY = [
  '9007199254740993',
  '-9007199254740993',
  '9223372036854775807',
  '9223372036854775808',
  '18446744073709551615',
  '1.23456789012345678',
  '0.1000000000000000055511151231257827',
  '1e309',
  '-1e309',
  '1e400',
  '1e-400',
  '-1e-400',
  '1e999999999999999999999',
  '1e-999999999999999999999',
  '9'.repeat(400),
  `0.${'0'.repeat(400)}1`,
  `1.${'1'.repeat(10_000)}`,
  '4e-324',
]

/** What other languages call a number, and JSON does not. */
const NOT_JSON = [
  'NaN',
  '-NaN',
  'Infinity',
  '-Infinity',
  '+Infinity',
  'nan',
  'inf',
  '+1',
  '.5',
  '-.5',
  '1.',
  '1.e3',
  '01',
  '-01',
  '00',
  '0x10',
  '0X1F',
  '0b1',
  '0o7',
  '1_000',
  '1,5',
  '1 000',
  '10n',
  '1e',
  '1e+',
  '1e1.5',
  '1.2.3',
  '-',
  '--1',
  '1-',
  '1/2',
  '1+1',
  '1f',
  '1.0d',
  '½',
  '１',
  '٣',
  '∞',
  'undefined',
  'None',
  'True',
  'FALSE',
  'Null',
  'nil',
  "'3'",
  '(3)',
  '',
]

export function numberCases({ written }: Workbench): readonly HostileCase[] {
  const refused = (name: string, at: string, lexeme: string): HostileCase => ({
    name,
    body: written(at, lexeme),
    expect: [400],
    errorPath: at,
    stored: false,
  })
  const weight = '/items/2/config/weight_kg'
  return [
    ...FIELDS.flatMap(({ at, good, bad }) => [
      ...good.map((lexeme) => ({ name: `the number ${lexeme} at ${at}`, body: written(at, lexeme), expect: [200] })),
      ...bad.map((lexeme) => refused(`the number ${lexeme} is out of bounds at ${at}`, at, lexeme)),
    ]),
    ...LOSSY.flatMap((lexeme) => FIELDS.slice(0, 2).map(({ at }) => refused(`${nameOf(lexeme)} at ${at}`, at, lexeme))),
    ...LOSSY.map((lexeme) => refused(`${nameOf(lexeme)} in a member that is ignored`, '/surplus', lexeme)),
    ...NOT_JSON.map((lexeme): HostileCase => {
      const body = written(weight, lexeme)
      return { name: `${JSON.stringify(lexeme)} as a number`, body, expect: [400], stored: false }
    }),
  ]
}

function nameOf(lexeme: string): string {
  if (lexeme.length <= 40) return `the number ${lexeme}`
  return `a number of ${lexeme.length} characters, ${lexeme.slice(0, 3)}…`
}
