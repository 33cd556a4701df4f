// Facts that texts use to identify a model but that its name omits: release year, generation, chip, screen.
import type { ProcessorMaker } from './processor.ts'

export interface ImpliedTraits {
  readonly gen?: number
  readonly year?: number
  readonly chip?: string
  /** Inches. */
  readonly screen?: number
  /** Words that add nothing for this model. */
  readonly words?: readonly string[]
  /** Further names of the model. */
  readonly names?: readonly string[]
  /** True if the line was made in only one size that year. */
  readonly hasOneSize?: true
  /** True if texts with a rounded size mean another model. */
  readonly isSizeExact?: true
  /** True if an adjacent generation has the same chip, so that the chip does not identify the generation. */
  readonly isChipShared?: true
  /** True if the manufacturer reused the number for a later model: the processor or the year has to decide. */
  readonly isNumberReused?: true
  /** Makers of the model's processors; absent if not known. */
  readonly processors?: readonly ProcessorMaker[]
  /** The first and the last Intel processor generation of this model, if other models have the same name. */
  readonly intelGens?: readonly [first: number, last: number]
  /** Cores, clock and ports that the name omits. */
  readonly equipment?: readonly string[]
}

type Row = readonly [
  pattern: string,
  year: number | null,
  gen: number | null,
  chip: string | null,
  inches: number | null,
]

/** By the start of a model's id, with `$` as its end; the first match applies. From manufacturers' specifications. */
const ROWS: readonly Row[] = [
  ['apple-ipad-7th', 2019, 7, 'a10', 10.2],
  ['apple-ipad-9th', 2021, 9, 'a13', 10.2],
  ['apple-ipad-10th', 2022, 10, 'a14', 10.9],
  ['apple-ipad-a16', 2025, 11, 'a16', 11],
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
  ['apple-studio-display', null, null, null, 27],
  ['dell-u3818dw', null, null, null, 37.5],
  ['dell-u3821dw', null, null, null, 37.5],
  ['dell-u4320q', null, null, null, 42.5],
  ['lenovo-yoga-slim-7-14', 2020, null, null, 14],
  ['microsoft-surface-pro-4', null, 4, null, 12.3],
  ['microsoft-surface-pro-5th', 2017, 5, null, 12.3],
  ['microsoft-surface-pro-6', null, 6, null, 12.3],
  ['microsoft-surface-pro-7', null, 7, null, 12.3],
  ['microsoft-surface-pro-8', null, 8, null, 13],
  ['microsoft-surface-pro-x', null, null, null, 13],
  ['microsoft-surface-go-3', null, 3, null, 10.5],
  ['microsoft-surface-laptop$', 2017, 1, null, 13.5],
  ['microsoft-surface-laptop-2', 2018, null, null, 13.5],
  ['microsoft-surface-laptop-go$', 2020, null, null, 12.4],
  ['microsoft-surface-laptop-go', null, null, null, 12.4],
  ['microsoft-surface-laptop-se', 2022, null, null, 11.6],
  ['microsoft-surface-laptop-studio', 2021, null, null, 14.4],
]

/** In Dell's and HP's business lines, the second digit of the model number gives the screen size. */
const INCHES_OF_DIGIT: Readonly<Record<string, number>> = { 2: 12.5, 3: 13.3, 4: 14, 5: 15.6, 6: 16, 7: 17.3 }

/** Apple's model numbers, printed under its computers (some are shared by two models), and Samsung's. */
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
  [/^samsung-galaxy-s24$/, ['sms921']],
  [/^samsung-galaxy-s24-plus$/, ['sms926']],
  [/^samsung-galaxy-s24-ultra$/, ['sms928']],
  [/^samsung-galaxy-s25-plus$/, ['sms936']],
  [/^samsung-galaxy-s25-ultra$/, ['sms938']],
  [/^samsung-galaxy-z-flip6$/, ['smf741']],
  [/^samsung-galaxy-z-fold6$/, ['smf956']],
]

/** @returns numbers that identify the model, in lower case */
export const modelNumbers = (id: string): readonly string[] => MODEL_NUMBERS.find(([ids]) => ids.test(id))?.[1] ?? []

/** Models that only exist as two-in-ones, so that their number alone identifies them. */
const ONLY_TWO_IN_ONE = /^dell-(latitude-(5285|5289|7389|7200|7210)|xps-13-9365)-2-in-1$/

/** A number that its manufacturer reused for a model six years later. */
const XPS_13_PLUS = 'dell-xps-9320'
/** Made in one size: the Air after the last 11-inch and before the first 15-inch one, and the last 13-inch Pro. */
const ONE_SIZE = /^apple-macbook-(?:air-13-(?:m[12]-|retina)|pro-13-m)/
/** Numbers of 2015 models that Dell reused for models of 2024. */
const REUSED_NUMBER = /^dell-latitude-(?:3350|3550|5450|5550|7350)$/
/** The 13-inch model of 2025 has the same name. */
const EXACT_SIZE = 'microsoft-surface-laptop'

/** Matched by the start of a model's id; the first match applies. */
const PROCESSORS: readonly (readonly [RegExp, readonly ProcessorMaker[]])[] = [
  [/^microsoft-surface-pro-x/, ['arm']],
  [/^microsoft-surface-laptop-(?:3-15|4)/, ['intel', 'amd']],
  [/^microsoft-surface-(?:laptop|pro|book|go)/, ['intel']],
  [/^dell-latitude-5495/, ['amd']],
  [/^dell-(?:latitude|precision|xps)-/, ['intel']],
  [/^hp-(?:elite|pro)book-(?:x360-)?[2-8]\d5-/, ['amd']],
  [/^hp-(?:elite|pro)book-(?:x360-)?(?:[2-8]\d|10[234])0-/, ['intel']],
  [/^hp-zbook-power-g8/, ['intel']],
  [/^lenovo-thinkpad-(?:a[24][78]5|[elt][45][3-9]5|x[13][0-9]5|t49\ds?-amd)/, ['amd']],
  [/^lenovo-thinkpad-(?:[elptx]\d{2,3}0[ps]?|p\d\ds?|e1[45]|l13|x1|p1|13|helix)(?:-|$)/, ['intel']],
  [/^lenovo-thinkbook-(?:13s|14|14s|plus)$/, ['intel']],
]
/** Models whose name was also given to a model of the following or the preceding year. */
const INTEL_GENS: readonly (readonly [RegExp, readonly [number, number]])[] = [
  [/^microsoft-surface-laptop$/, [7, 7]],
  [/^microsoft-surface-laptop-go$/, [10, 10]],
  [/^microsoft-surface-laptop-studio$/, [11, 11]],
  [/^lenovo-thinkpad-x1-carbon$/, [5, 5]],
  [/^lenovo-thinkpad-x1-yoga$/, [6, 6]],
  [/^lenovo-thinkpad-p1-/, [8, 8]],
  [/^lenovo-thinkpad-e1[45](?:-|$)/, [10, 10]],
  [/^lenovo-thinkbook-plus$/, [10, 10]],
  [/^lenovo-ideapad-(?:3|5|l3|gaming-3|flex-5)-1[457]/, [0, 10]],
  [/^lenovo-yoga-slim-7-14/, [0, 10]],
  [/^lenovo-legion-5-/, [0, 10]],
]
const CLOCKS_AND_PORTS: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^apple-macbook-pro-13-(?:2-0ghz-.*|four-thunderbolt-3-ports-.*)2020$/, ['2.0ghz', '4core', '4ports']],
  [/^apple-macbook-pro-13-(?:1-4ghz-.*|two-thunderbolt-3-ports-.*)2020$/, ['1.4ghz', '4core', '2ports']],
]

const factOf = <Fact>(id: string, rows: readonly (readonly [RegExp, Fact])[]): Fact | undefined =>
  rows.find(([ids]) => ids.test(id))?.[1]

/** Facts about a model that its name omits and other texts use to identify it. */
export function impliedTraits(id: string): ImpliedTraits {
  const processors = factOf(id, PROCESSORS)
  const equipment = factOf(id, CLOCKS_AND_PORTS)
  const intelGens = factOf(id, INTEL_GENS)
  return {
    ...traitsOfRow(id),
    ...(id === EXACT_SIZE && { isSizeExact: true as const }),
    ...(REUSED_NUMBER.test(id) && { isNumberReused: true as const }),
    ...(processors && { processors }),
    ...(intelGens && { intelGens }),
    ...(equipment && { equipment }),
  }
}

function traitsOfRow(id: string): ImpliedTraits {
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
      ...(id.startsWith('apple-ipad-7th') && { isChipShared: true as const }),
      ...(ONE_SIZE.test(id) && { hasOneSize: true as const }),
    }
  }
  const digit =
    /^dell-(?:latitude|precision)-(?:rugged-)?e?\d([2-7])\d\d/.exec(id)?.[1] ??
    /^hp-(?:elite|pro)book-(?:aero-)?[468]([3-7])[05]-/.exec(id)?.[1]
  const screen = digit === undefined ? undefined : INCHES_OF_DIGIT[digit]
  return screen === undefined ? {} : { screen }
}
