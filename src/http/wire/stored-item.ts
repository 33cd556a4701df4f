// An item of an order as it is kept: under names of one letter, since the names took more room than what they name.
import type { WireItem } from './order-schema.ts'

type Config = WireItem['config']
type NameOf<OneConfig> = OneConfig extends unknown ? keyof OneConfig : never

/** What is stored is read by these for ever: a letter is never given to another name. SQL that reads items has them. */
const LETTERS = {
  product_id: 'p',
  serial_number: 's',
  tenure_months: 't',
  weight_kg: 'w',
  product_name: 'n',
  brand: 'b',
  device_type: 'd',
  model_id: 'm',
  country: 'c',
  transportation_id: 'r',
  transportation_mode: 'o',
  distance_km: 'k',
  distance_basis: 'a',
  packaging_id: 'g',
} as const satisfies Readonly<Record<NameOf<Config>, string>>

type Letter = (typeof LETTERS)[keyof typeof LETTERS]
export type StoredItem = Readonly<Partial<Record<Letter, string | number>>>

const NAMES = new Map(Object.entries(LETTERS).map(([name, letter]) => [letter as string, name]))

/** The members keep their sequence. */
export function encodeItem(config: Config): StoredItem {
  const kept: Partial<Record<Letter, string | number>> = {}
  for (const name in config) kept[LETTERS[name as NameOf<Config>]] = config[name as keyof Config]
  return kept
}

/** @throws Error for a letter that no member has: it was not kept by encodeItem */
export function decodeItem(kept: StoredItem): Config {
  const config: Record<string, string | number> = {}
  for (const [letter, value] of Object.entries(kept)) {
    const name = NAMES.get(letter)
    if (name === undefined) throw new Error(`No member of an item is kept as "${letter}"`)
    config[name] = value
  }
  return config as unknown as Config
}
