// Processor data in a text: the maker, and the first year in which devices had the processor.

export type ProcessorMaker = 'intel' | 'amd' | 'arm'

const YEAR_OF_INTEL: Readonly<Record<number, number>> = {
  6: 2015, 7: 2016, 8: 2017, 9: 2018, 10: 2019, 11: 2020, 12: 2022, 13: 2023, 14: 2023,
} // prettier-ignore
const YEAR_OF_RYZEN: Readonly<Record<string, number>> = {
  2: 2018, 3: 2019, 4: 2020, 5: 2021, 6: 2022, 7: 2023, 8: 2024,
} // prettier-ignore
/** The last letters in names of Lenovo computers, by processor; without those shared by two generations. */
const YEAR_OF_PLATFORM: Readonly<Record<string, number>> = {
  isk: 2015, ikb: 2016, ast: 2016, iwl: 2018, ich: 2018, igm: 2018, arr: 2018, api: 2018, iml: 2019, iil: 2019,
  irh: 2019, imh: 2020, arh: 2020, are: 2020, ada: 2020,
} // prettier-ignore

/** The release year of the newest processor or graphics chip named in the text; null if there is none. */
export function processorYearOf(text: string): number | null {
  const years = [intelYear(text), ryzenYear(text), graphicsYear(text), looseYear(text)].filter((year) => year !== null)
  return years.length === 0 ? null : Math.max(...years)
}

function intelYear(text: string): number | null {
  const ultra = /\b(?:core[\s-]ultra[\s-]?(?:[579][\s-]?)?|(?:ultra |u)[579][\s-])(\d?)(?:\d\d[uhv])?/i.exec(text)
  if (ultra) return ultra[1] === '2' ? 2024 : 2023
  const gen = intelGenOf(text)
  if (gen === null) return null
  // The fast processors of these two generations were released a year after the others.
  const delay = /\bi[3579][\s-]?(?:9\d{3}|10\d{3})h/i.test(text) ? 1 : 0
  return gen < 6 ? 2009 + gen : (intelReleaseYear(gen) ?? 0) + delay
}

function ryzenYear(text: string): number | null {
  const series = /\b(?:ryzen(?:[\s-]ai)?[\s-]?[3579]?|r[3579])[\s-]?(?:pro)?[\s-]?([2-8])\d{3}[a-z]{0,2}\b/i.exec(
    text,
  )?.[1]
  return series === undefined ? null : (YEAR_OF_RYZEN[series] ?? null)
}

/** Nvidia's graphics chips for portable computers, from the 3000 series on. */
function graphicsYear(text: string): number | null {
  if (/\brtx[\s-]?a\d000/i.test(text)) return 2021
  const series = /\brtx[\s-]?([345])0\d0/i.exec(text)?.[1]
  return series === undefined ? null : 2015 + 2 * Number(series)
}

/** Lenovo's letters after the size, for processors that were also used a year later in devices of the same name. */
const LOOSE_PLATFORM = /\b1[3-7]s?[\s-](itl|alc|iap)\b/i
const YEAR_OF_LOOSE: Readonly<Record<string, number>> = { itl: 2020, alc: 2021, iap: 2022 }

const looseYear = (text: string): number | null =>
  YEAR_OF_LOOSE[LOOSE_PLATFORM.exec(text)?.[1]?.toLowerCase() ?? ''] ?? null

/** The generation of the Intel processor in the text, such as 11 for i5-1135G7; null if there is none. */
export function intelGenOf(text: string): number | null {
  if (LOOSE_PLATFORM.exec(text)?.[1]?.toLowerCase() === 'itl') return 11
  const number = /\bi[3579][\s-]?(\d{4,5})/i.exec(text)?.[1]
  return number === undefined ? null : Number(number.slice(0, number.startsWith('1') ? 2 : 1))
}

/** The release year of an Intel generation; null before the 6th and after the 14th. */
export const intelReleaseYear = (gen: number): number | null => YEAR_OF_INTEL[gen] ?? null

/** "14iwl": the size in inches, and the processor's year; null for any other token. */
export function platformOf(token: string): { readonly inches: number; readonly year: number } | null {
  const [, inches, letters] = /^(1[0-7])([ai][a-z]{2})(?:05h?)?$/.exec(token) ?? []
  const year = YEAR_OF_PLATFORM[letters ?? '']
  return year === undefined ? null : { inches: Number(inches), year }
}

/** True for processors that are not Intel's or AMD's, or the name under which such computers are sold. */
export const isArm = (text: string): boolean => /\b(?:snapdragon|copilot|microsoft sq\d|sq[123])\b/i.test(text)
