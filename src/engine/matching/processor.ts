// What a text says of the processor: who made it, and from which year on devices had it.

export type ProcessorMaker = 'intel' | 'amd' | 'arm'

const YEAR_OF_INTEL: Readonly<Record<number, number>> = {
  6: 2015, 7: 2016, 8: 2017, 9: 2018, 10: 2019, 11: 2020, 12: 2022, 13: 2023, 14: 2023,
} // prettier-ignore
const YEAR_OF_RYZEN: Readonly<Record<string, number>> = {
  2: 2018, 3: 2019, 4: 2020, 5: 2021, 6: 2022, 7: 2023, 8: 2024,
} // prettier-ignore
/** The letters in which the names of Lenovo's computers end, by processor; without those that two generations share. */
const YEAR_OF_PLATFORM: Readonly<Record<string, number>> = {
  isk: 2015, ikb: 2016, ast: 2016, iwl: 2018, ich: 2018, igm: 2018, arr: 2018, api: 2018, iml: 2019, iil: 2019,
  irh: 2019, imh: 2020, arh: 2020, are: 2020, ada: 2020,
} // prettier-ignore

/** The year in which the youngest processor or graphics chip that the text names came to market; null without any. */
export function processorYearOf(text: string): number | null {
  const years = [intelYear(text), ryzenYear(text), graphicsYear(text), looseYear(text)].filter((year) => year !== null)
  return years.length === 0 ? null : Math.max(...years)
}

function intelYear(text: string): number | null {
  const ultra = /\b(?:core[\s-]ultra[\s-]?(?:[579][\s-]?)?|(?:ultra |u)[579][\s-])(\d?)(?:\d\d[uhv])?/i.exec(text)
  if (ultra) return ultra[1] === '2' ? 2024 : 2023
  const gen = intelGenOf(text)
  if (gen === null) return null
  // The fast ones of these two generations came a year after the others.
  const delay = /\bi[3579][\s-]?(?:9\d{3}|10\d{3})h/i.test(text) ? 1 : 0
  return gen < 6 ? 2009 + gen : (intelReleaseYear(gen) ?? 0) + delay
}

function ryzenYear(text: string): number | null {
  const series = /\b(?:ryzen(?:[\s-]ai)?[\s-]?[3579]?|r[3579])[\s-]?(?:pro)?[\s-]?([2-8])\d{3}[a-z]{0,2}\b/i.exec(
    text,
  )?.[1]
  return series === undefined ? null : (YEAR_OF_RYZEN[series] ?? null)
}

/** Nvidia's graphics chips of portable computers, since the 3000s. */
function graphicsYear(text: string): number | null {
  if (/\brtx[\s-]?a\d000/i.test(text)) return 2021
  const series = /\brtx[\s-]?([345])0\d0/i.exec(text)?.[1]
  return series === undefined ? null : 2015 + 2 * Number(series)
}

/** Lenovo's letters behind the size, of the processors that came into devices of the same name a year later. */
const LOOSE_PLATFORM = /\b1[3-7]s?[\s-](itl|alc|iap)\b/i
const YEAR_OF_LOOSE: Readonly<Record<string, number>> = { itl: 2020, alc: 2021, iap: 2022 }

const looseYear = (text: string): number | null =>
  YEAR_OF_LOOSE[LOOSE_PLATFORM.exec(text)?.[1]?.toLowerCase() ?? ''] ?? null

/** The generation of the Intel processor that the text names, as in i5-1135G7: 11; null where it names none. */
export function intelGenOf(text: string): number | null {
  if (LOOSE_PLATFORM.exec(text)?.[1]?.toLowerCase() === 'itl') return 11
  const number = /\bi[3579][\s-]?(\d{4,5})/i.exec(text)?.[1]
  return number === undefined ? null : Number(number.slice(0, number.startsWith('1') ? 2 : 1))
}

/** The year of Intel's generation; null before the 6th and after the 14th. */
export const intelReleaseYear = (gen: number): number | null => YEAR_OF_INTEL[gen] ?? null

/** "14iwl": the size, inches, and the year of the processor; null for any other token. */
export function platformOf(token: string): { readonly inches: number; readonly year: number } | null {
  const [, inches, letters] = /^(1[0-7])([ai][a-z]{2})(?:05h?)?$/.exec(token) ?? []
  const year = YEAR_OF_PLATFORM[letters ?? '']
  return year === undefined ? null : { inches: Number(inches), year }
}

/** Processors that are neither Intel's nor AMD's, and the name under which computers with them are sold. */
export const isArm = (text: string): boolean => /\b(?:snapdragon|copilot|microsoft sq\d|sq[123])\b/i.test(text)
