// The schema of every file under data/. Cells are validated by it, so that a new column needs no new code.
import {
  ENDING_LISTS,
  MEANING_LISTS,
  BATTERY_LIST,
  PATTERN_LISTS,
  PROCESSOR_KINDS,
  WORD_LISTS,
} from '../engine/matching/match-lexicon.ts'
import { NO_DEVICE } from '../engine/matching/product-lines.ts'
import {
  DEVICE_TYPES,
  DISTANCE_BASES,
  ENERGY_CARRIER_KINDS,
  ENERGY_UNITS,
  FALLBACK_LEVELS,
  TRANSPORT_MODES,
} from '../engine/reference/reference-data.ts'
import {
  COUNTRY,
  ID,
  NOTE,
  REGION,
  SOURCE,
  TEXT,
  YEAR,
  YES_NO,
  choice,
  decimal,
  optional,
  required,
  spelling,
  whole,
  type Dataset,
} from './column-forms.ts'
import { GRID_DATASETS } from './grid-columns.ts'

const URL_TEXT = required({ kind: 'url' })
const DEVICE_TYPE = choice(DEVICE_TYPES)

// Only licences that have been read. Data under any other licence must not be shipped before it has been read.
// "quoted facts" are single values from a text without an open licence, quoted with their source; no table is copied.
const LICENCE = choice([
  'OGL-UK-3.0',
  'Licence Ouverte',
  'CC-BY-SA-4.0',
  'ODbL-1.0',
  'CC-BY-4.0',
  'US government work',
  'quoted facts',
])

// The largest display of the catalogue has 3570 kg; more than 5000 is a misplaced decimal point.
const DEVICE_EMISSION = optional(decimal('0', '5000'))
// The highest factors in the files are a domestic flight (5.18 with radiative forcing) and new aluminium (9.1).
const FREIGHT_FACTOR = decimal('0', '10')
const MATERIAL_FACTOR = decimal('0', '50')
// The most that a source states is 15 kg; more than 100 is a misplaced decimal point.
const REFURBISHMENT = decimal('0.1', '100')
const SHARE = decimal('0', '0.999999999')
const LIFETIME_MONTHS = whole('12', '180')
// e^10 kg is more than the largest device has; a spread of e^2 would carry no information.
const COEFFICIENT = decimal('0', '10')
const LOG_SD = decimal('0.01', '2')
const SHEETS = whole('0', '100000')
/** As product texts are compared: see `tokenise` for accents; a phrase has blanks. U+30FC lengthens a vowel of kana. */
const WORD = spelling(
  /^(?:\*?[a-z0-9]+(?: [a-z0-9]+)*\*?|(?:(?!\p{Script=Latin})\p{Ll}|[\p{Lo}\u30fc])+)$/u,
  'small letters without accents and digits, with * at its start or end for any others, or letters of another script',
)
const PLAIN_WORD = spelling(/^[a-z0-9]+$/, 'small letters without accents and digits')
const PLAIN_WORDS = spelling(/^[a-z0-9]+(?: [a-z0-9]+)*$/, 'words of small letters without accents and digits')
const MODELS = spelling(/^[a-z0-9#*-]+$/, 'an id in which * stands for any characters and # for a digit')
const EQUIPMENT = spelling(/^(?:[\d.]+(?:ghz|core|ports)(?: |$))+$/, 'like "2.0ghz 4core 4ports"')
const LINE = spelling(
  /^[a-z0-9#]+[*@]?(?: (?:[a-z0-9#]+[*@]?|\*))*$/,
  'lower-case letters and digits, with # for a digit and, at the end of a word, @ for letters or * for any characters',
)
const CODES = spelling(/^[A-Za-z0-9_,./-]+(?: [A-Za-z0-9_,./-]+)*$/, 'codes that are separated by blanks')
const FLAG = optional(choice(['yes']))
const INTEL_GENERATION = optional(whole('0', '20'))

export const DATASETS: Readonly<Record<string, Dataset>> = {
  'sources.csv': {
    key: ['id'],
    columns: { id: ID, title: TEXT, publisher: TEXT, year: optional(YEAR), url: URL_TEXT, licence: LICENCE },
  },
  'devices/device-models.csv': {
    key: ['id'],
    columns: {
      id: ID,
      name: TEXT,
      brand: TEXT,
      type: DEVICE_TYPE,
      total_kg_co2e: DEVICE_EMISSION,
      production_kg_co2e: DEVICE_EMISSION,
      transportation_kg_co2e: DEVICE_EMISSION,
      use_kg_co2e: DEVICE_EMISSION,
      end_of_life_kg_co2e: DEVICE_EMISSION,
      lifetime_months: optional(LIFETIME_MONTHS),
      weight_kg: optional(decimal('0.005', '100')),
      screen_inches: optional(decimal('1', '120')),
      yearly_energy_kwh: optional(decimal('0.1', '1000')),
      use_region: optional(REGION),
      uncertainty_ratio: optional(decimal('0', '1')),
      in_type_default: YES_NO,
      year: optional(YEAR),
      source_title: TEXT,
      source_publisher: TEXT,
      source_url: URL_TEXT,
      licence: LICENCE,
      via: TEXT,
      evidence: choice(['sheet', 'secondary']),
      note: NOTE,
    },
  },
  'devices/aliases.csv': {
    key: ['model_id', 'alias'],
    columns: {
      model_id: ID,
      alias: TEXT,
      kind: choice([
        'part_number',
        'model_number',
        'device_identifier',
        'marketing_name',
        'alternative_name',
        'published_name',
        'short_name',
        'former_id',
      ]),
      source: required({ kind: 'origin' }),
    },
  },
  'devices/known-devices.csv': {
    key: ['id'],
    columns: {
      id: ID,
      name: TEXT,
      brand: TEXT,
      type: DEVICE_TYPE,
      handheld: FLAG,
      codes: optional(CODES),
      yearly_energy_kwh: optional(decimal('0.1', '1000')),
      weight_kg: optional(decimal('0.005', '100')),
      screen_inches: optional(decimal('1', '120')),
      year: optional(YEAR),
      source_title: TEXT,
      source_publisher: TEXT,
      source_url: URL_TEXT,
      licence: LICENCE,
      note: NOTE,
    },
  },
  'devices/type-defaults.csv': {
    key: ['type'],
    columns: {
      type: choice([...DEVICE_TYPES, 'any']),
      embodied_kg_co2e: DEVICE_EMISSION,
      embodied_sheets: SHEETS,
      use_share: SHARE,
      use_share_sheets: SHEETS,
      lifetime_months: LIFETIME_MONTHS,
      lifetime_sheets: SHEETS,
      yearly_energy_kwh: optional(decimal('0.1', '1000')),
      yearly_energy_sheets: SHEETS,
      weight_kg: optional(decimal('0.005', '100')),
      weight_sheets: SHEETS,
      assumed: YES_NO,
      source: SOURCE,
      note: NOTE,
    },
  },
  'devices/fallbacks.csv': {
    key: ['level', 'type', 'brand', 'family'],
    columns: {
      level: choice(FALLBACK_LEVELS),
      type: choice([...DEVICE_TYPES, 'any']),
      brand: NOTE,
      family: optional(ID),
      embodied_kg_co2e: DEVICE_EMISSION,
      intercept: optional(COEFFICIENT),
      per_ln_weight: optional(COEFFICIENT),
      per_ln_screen: optional(COEFFICIENT),
      weight_min_kg: optional(decimal('0.005', '100')),
      weight_max_kg: optional(decimal('0.005', '100')),
      screen_min_inches: optional(decimal('1', '120')),
      screen_max_inches: optional(decimal('1', '120')),
      sheets: SHEETS,
      log_sd: LOG_SD,
      interval_log_sd: LOG_SD,
      source: SOURCE,
      note: NOTE,
    },
  },
  'transports.csv': {
    key: ['id'],
    columns: {
      id: ID,
      name: TEXT,
      mode: choice(TRANSPORT_MODES),
      vehicle: TEXT,
      factor_kg_co2e_per_tonne_km: FREIGHT_FACTOR,
      ttw_kg_co2e_per_tonne_km: FREIGHT_FACTOR,
      wtt_kg_co2e_per_tonne_km: FREIGHT_FACTOR,
      distance_basis: choice(DISTANCE_BASES),
      energy_carrier: optional(ID),
      region: COUNTRY,
      source: SOURCE,
      note: NOTE,
    },
  },
  'energy-carriers.csv': {
    key: ['id'],
    columns: {
      id: ID,
      name: TEXT,
      kind: choice(ENERGY_CARRIER_KINDS),
      unit: choice(ENERGY_UNITS),
      ttw_kg_co2e_per_unit: FREIGHT_FACTOR,
      wtt_kg_co2e_per_unit: FREIGHT_FACTOR,
      region: COUNTRY,
      source: SOURCE,
      note: NOTE,
    },
  },
  'distance-adjustments.csv': {
    key: ['mode'],
    columns: {
      mode: choice(TRANSPORT_MODES),
      multiplier: decimal('1', '2'),
      added_km: decimal('0', '1000'),
      source: SOURCE,
      note: NOTE,
    },
  },
  'packagings.csv': {
    key: ['id'],
    columns: {
      id: ID,
      name: TEXT,
      material: TEXT,
      recycled_content_percent: optional(decimal('0', '100')),
      factor_kg_co2e_per_kg: MATERIAL_FACTOR,
      landfill_kg_co2e_per_kg: optional(MATERIAL_FACTOR),
      incineration_kg_co2e_per_kg: optional(MATERIAL_FACTOR),
      recycling_kg_co2e_per_kg: optional(MATERIAL_FACTOR),
      stand_in: YES_NO,
      region: COUNTRY,
      source: SOURCE,
      note: NOTE,
    },
  },
  'it-equipment.csv': {
    key: ['id'],
    single: true,
    columns: { id: ID, factor_kg_co2e_per_kg: MATERIAL_FACTOR, region: COUNTRY, source: SOURCE, note: NOTE },
  },
  'use-phase.csv': {
    key: ['type', 'name'],
    columns: {
      type: DEVICE_TYPE,
      name: TEXT,
      yearly_energy_kwh: decimal('0.1', '1000'),
      active_power_w: decimal('0.1', '1000'),
      hours_per_day: decimal('0', '24'),
      days_per_year: decimal('0', '366'),
      in_type_default: YES_NO,
      source: SOURCE,
      note: NOTE,
    },
  },
  'refurbishments.csv': {
    key: ['type'],
    columns: {
      type: DEVICE_TYPE,
      emission_kg_co2e: REFURBISHMENT,
      low_kg_co2e: REFURBISHMENT,
      high_kg_co2e: REFURBISHMENT,
      assumed: YES_NO,
      source: SOURCE,
      note: NOTE,
    },
  },
  'type-assumptions.csv': {
    key: ['type'],
    columns: {
      type: DEVICE_TYPE,
      lifetime_months: LIFETIME_MONTHS,
      use_share: optional(SHARE),
      weight_kg: optional(decimal('0.005', '100')),
      note: TEXT,
    },
  },
  ...GRID_DATASETS,
  'matching/words.csv': {
    key: ['list', 'word'],
    columns: {
      list: choice([...WORD_LISTS, ...MEANING_LISTS, ...PATTERN_LISTS, BATTERY_LIST, ...ENDING_LISTS]),
      word: WORD,
      meaning: optional(TEXT),
      note: NOTE,
    },
  },
  'matching/abbreviations.csv': {
    key: ['pattern'],
    columns: { pattern: TEXT, meaning: optional(TEXT), example: TEXT, example_meaning: TEXT, note: NOTE },
  },
  'matching/model-facts.csv': {
    key: ['models'],
    columns: {
      models: MODELS,
      year: optional(YEAR),
      generation: optional(whole('1', '50')),
      chip: optional(PLAIN_WORD),
      screen_inches: optional(decimal('1', '120')),
      model_number: optional(PLAIN_WORD),
      processors: optional(choice(['intel', 'amd', 'arm', 'intel amd'])),
      intel_first: INTEL_GENERATION,
      intel_last: INTEL_GENERATION,
      equipment: optional(EQUIPMENT),
      other_name: NOTE,
      implied_word: optional(PLAIN_WORD),
      one_size: FLAG,
      exact_size: FLAG,
      shared_chip: FLAG,
      reused_number: FLAG,
      also_tablet: FLAG,
      note: NOTE,
    },
  },
  'matching/processors.csv': {
    key: ['kind', 'code'],
    columns: { kind: choice(PROCESSOR_KINDS), code: PLAIN_WORD, year: YEAR, note: NOTE },
  },
  'matching/lines.csv': {
    key: ['brand', 'line'],
    columns: {
      brand: NOTE,
      line: LINE,
      type: choice([...DEVICE_TYPES, NO_DEVICE]),
      without_brand: YES_NO,
      source: SOURCE,
      example: NOTE,
      note: NOTE,
    },
  },
  'matching/makers.csv': {
    key: ['brand', 'type'],
    columns: {
      brand: NOTE,
      type: choice([...DEVICE_TYPES, NO_DEVICE]),
      weight_min_kg: optional(decimal('0.005', '100')),
      weight_max_kg: optional(decimal('0.005', '100')),
      source: SOURCE,
      note: NOTE,
    },
  },
  'matching/synonyms.csv': {
    key: ['id', 'word'],
    columns: { id: ID, word: PLAIN_WORD, note: NOTE },
  },
  'matching/carriers.csv': {
    key: ['words', 'id'],
    columns: { words: PLAIN_WORDS, id: optional(ID), reason: TEXT, source: SOURCE },
  },
}
