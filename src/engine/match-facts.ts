// Facts about models that their names leave out and other texts name them by: release year, generation, chip, screen.

export interface ImpliedTraits {
  readonly gen?: number
  readonly year?: number
  readonly chip?: string
  /** Inches. */
  readonly screen?: number
  /** Words that say nothing new of this model. */
  readonly words?: readonly string[]
  /** Further names of the model. */
  readonly names?: readonly string[]
  /** True where the line was made in one size alone in its year. */
  readonly hasOneSize?: true
}

type Row = readonly [
  pattern: string,
  year: number | null,
  gen: number | null,
  chip: string | null,
  inches: number | null,
]

/** By the beginning of a model's id, `$` being its end; the first row counts. From the makers' specifications. */
const ROWS: readonly Row[] = [
  ['apple-ipad-7th', 2019, 7, 'a10', 10.2],
  ['apple-ipad-9th', 2021, 9, 'a13', 10.2],
  ['apple-ipad-10th', 2022, 10, 'a14', 10.9],
  ['apple-ipad-a16', 2025, 11, 'a16', 10.9],
  ['apple-ipad-air-3rd', 2019, 3, 'a12', 10.5],
  ['apple-ipad-air-5th', 2022, 5, 'm1', 10.9],
  ['apple-ipad-air-11-m4', null, null, 'm4', 11],
  ['apple-ipad-mini-6th', 2021, 6, 'a15', 8.3],
  ['apple-ipad-pro-11-4th', 2022, 4, 'm2', 11],
  ['apple-ipad-pro-12-9-1st', 2015, 1, 'a9x', 12.9],
  ['apple-ipad-pro-12-9-3rd', 2018, 3, 'a12x', 12.9],
  ['apple-ipad-pro-12-9-4th', 2020, 4, 'a12z', 12.9],
  ['apple-ipad-pro-12-9-5th', 2021, 5, 'm1', 12.9],
  ['apple-ipad-pro-12-9-6th', 2022, 6, 'm2', 12.9],
  ['apple-iphone-se-1st', 2016, 1, 'a9', 4],
  ['apple-iphone-se-2nd', 2020, 2, 'a13', 4.7],
  ['apple-iphone-se-3rd', 2022, 3, 'a15', 4.7],
  ['apple-iphone-6s-plus', 2015, null, 'a9', 5.5],
  ['apple-iphone-8-plus', 2017, null, 'a11', 5.5],
  ['apple-iphone-8', 2017, null, 'a11', 4.7],
  ['apple-iphone-xr', 2018, null, 'a12', 6.1],
  ['apple-iphone-xs', 2018, null, 'a12', 5.8],
  ['apple-iphone-x', 2017, null, 'a11', 5.8],
  ['apple-iphone-11-pro-max', 2019, null, 'a13', 6.5],
  ['apple-iphone-11-pro', 2019, null, 'a13', 5.8],
  ['apple-iphone-11', 2019, null, 'a13', 6.1],
  ['apple-iphone-12', 2020, null, 'a14', 6.1],
  ['apple-iphone-13-mini', 2021, null, 'a15', 5.4],
  ['apple-iphone-13-pro-max', 2021, null, 'a15', 6.7],
  ['apple-iphone-13', 2021, null, 'a15', 6.1],
  ['apple-iphone-14-pro-max', 2022, null, 'a16', 6.7],
  ['apple-iphone-14-pro', 2022, null, 'a16', 6.1],
  ['apple-iphone-14-plus', 2022, null, 'a15', 6.7],
  ['apple-iphone-14', 2022, null, 'a15', 6.1],
  ['apple-iphone-15-pro-max', 2023, null, 'a17', 6.7],
  ['apple-iphone-15-pro', 2023, null, 'a17', 6.1],
  ['apple-iphone-15-plus', 2023, null, 'a16', 6.7],
  ['apple-iphone-15', 2023, null, 'a16', 6.1],
  ['apple-iphone-16-pro-max', 2024, null, 'a18', 6.9],
  ['apple-iphone-16-plus', 2024, null, 'a18', 6.7],
  ['apple-iphone-16', 2024, null, 'a18', 6.1],
  ['apple-iphone-17-pro-max', 2025, null, 'a19', 6.9],
  ['apple-iphone-17e', null, null, 'a19', 6.1],
  ['apple-iphone-17', 2025, null, 'a19', 6.3],
  ['apple-iphone-air', 2025, null, 'a19', 6.5],
  ['apple-airpods-pro-3', 2025, 3, null, null],
  ['apple-macbook-air-13-m1', 2020, null, 'm1', 13.3],
  ['apple-macbook-air-13-m2', 2022, null, 'm2', 13.6],
  ['apple-macbook-air-13-m3', 2024, null, 'm3', 13.6],
  ['apple-macbook-air-13-m4', 2025, null, 'm4', 13.6],
  ['apple-macbook-air-15-m2', 2023, null, 'm2', 15.3],
  ['apple-macbook-air-15-m3', 2024, null, 'm3', 15.3],
  ['apple-macbook-air-15-m4', 2025, null, 'm4', 15.3],
  ['apple-macbook-pro-13-m1', 2020, null, 'm1', 13.3],
  ['apple-macbook-pro-13-m2', 2022, null, 'm2', 13.3],
  ['apple-macbook-pro-14-m2', 2023, null, null, 14.2],
  ['apple-macbook-pro-16-m2', 2023, null, null, 16.2],
  ['apple-macbook-pro-14-m3', 2023, null, null, 14.2],
  ['apple-macbook-pro-16-m3', 2023, null, null, 16.2],
  ['apple-macbook-pro-14', null, null, null, 14.2],
  ['apple-macbook-pro-16-2-', 2019, null, 'intel', 16],
  ['apple-macbook-pro-16', null, null, null, 16.2],
  ['apple-macbook-pro-15', null, null, 'intel', 15.4],
  ['apple-macbook-pro-13', null, null, 'intel', 13.3],
  ['apple-macbook-air-13', null, null, 'intel', 13.3],
  ['apple-macbook-12', null, null, 'intel', 12],
  ['dell-u3818dw', null, null, null, 37.5],
  ['dell-u3821dw', null, null, null, 37.5],
  ['dell-u4320q', null, null, null, 42.5],
  ['microsoft-surface-pro-4', null, 4, null, 12.3],
  ['microsoft-surface-pro-5th', 2017, 5, null, 12.3],
  ['microsoft-surface-pro-6', null, 6, null, 12.3],
  ['microsoft-surface-pro-7', null, 7, null, 12.3],
  ['microsoft-surface-pro-8', null, 8, null, 13],
  ['microsoft-surface-pro-x', null, null, null, 13],
  ['microsoft-surface-go-3', null, 3, null, 10.5],
  ['microsoft-surface-laptop$', 2017, null, null, 13.5],
  ['microsoft-surface-laptop-2', 2018, null, null, 13.5],
  ['microsoft-surface-laptop-go', null, null, null, 12.4],
  ['microsoft-surface-laptop-se', null, null, null, 11.6],
  ['microsoft-surface-laptop-studio', null, null, null, 14.4],
]

/** Dell's and HP's business lines: the second digit of the model's number is its size. */
const INCHES_OF_DIGIT: Readonly<Record<string, number>> = { 2: 12.5, 3: 13.3, 4: 14, 5: 15.6, 6: 16, 7: 17.3 }

/** Apple's model numbers of its computers, on their undersides; several bear two models. */
const MODEL_NUMBERS: readonly (readonly [ids: RegExp, numbers: readonly string[]])[] = [
  [/^apple-macbook-air-13-m1/, ['a2337']],
  [/^apple-macbook-air-13-m2/, ['a2681']],
  [/^apple-macbook-air-13-m3/, ['a3113']],
  [/^apple-macbook-air-13-m4/, ['a3240']],
  [/^apple-macbook-air-15-m2/, ['a2941']],
  [/^apple-macbook-air-15-m3/, ['a3114']],
  [/^apple-macbook-air-15-m4/, ['a3241']],
  [/^apple-macbook-air-13-retina-1/, ['a2179']],
  [/^apple-macbook-air-13-retina-20/, ['a1932']],
  [/^apple-macbook-pro-13-m[12]/, ['a2338']],
  [/^apple-macbook-pro-14-m1/, ['a2442']],
  [/^apple-macbook-pro-14-m2/, ['a2779']],
  [/^apple-macbook-pro-14-m3/, ['a2992']],
  [/^apple-macbook-pro-16-m1/, ['a2485']],
  [/^apple-macbook-pro-16-m2/, ['a2780']],
  [/^apple-macbook-pro-16-m3/, ['a2991']],
  [/^apple-macbook-pro-16-2-/, ['a2141']],
  [/^apple-macbook-pro-15-2-.*2019/, ['a1990']],
]

/** @returns numbers that stand for the model, without case */
export const modelNumbersOf = (id: string): readonly string[] => MODEL_NUMBERS.find(([ids]) => ids.test(id))?.[1] ?? []

/** Models that were only ever made as two-in-ones: their number alone names them. */
const ONLY_TWO_IN_ONE = /^dell-(latitude-(5285|5289|7389|7200|7210)|xps-13-9365)-2-in-1$/

/** A number that its maker used again, for a model six years later. */
const XPS_13_PLUS = 'dell-xps-9320'
/** Between the end of the 11-inch Air and the beginning of the 15-inch one; and the last 13-inch Pro. */
const ONE_SIZE = /^apple-macbook-(?:air-13-(?:m[12]-|retina)|pro-13-m)/

export function impliedOf(id: string): ImpliedTraits {
  if (ONLY_TWO_IN_ONE.test(id)) return { words: ['2in1'] }
  if (id === XPS_13_PLUS) return { words: ['plus'] }
  const row = ROWS.find(([start]) => `${id}$`.startsWith(start))
  if (row) {
    const [, year, gen, chip, screen] = row
    return {
      ...(year !== null && { year }),
      ...(gen !== null && { gen }),
      ...(chip !== null && { chip }),
      ...(screen !== null && { screen }),
      ...(id.startsWith('apple-ipad-a16') && { names: ['iPad (11th generation)'] }),
      ...(ONE_SIZE.test(id) && { hasOneSize: true as const }),
    }
  }
  const digit =
    /^dell-(?:latitude|precision)-(?:rugged-)?e?\d([2-7])\d\d/.exec(id)?.[1] ??
    /^hp-(?:elite|pro)book-(?:aero-)?[468]([3-7])[05]-/.exec(id)?.[1]
  const screen = digit === undefined ? undefined : INCHES_OF_DIGIT[digit]
  return screen === undefined ? {} : { screen }
}
