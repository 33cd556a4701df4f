// The schemas of the files with factors and losses of electricity.
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
  spelling,
  type Dataset,
} from './column-forms.ts'

const GRID_FACTOR = decimal('0.001', '2')

export const GRID_DATASETS: Readonly<Record<string, Dataset>> = {
  'grid-regions.csv': {
    key: ['region', 'year'],
    columns: { region: REGION, year: YEAR, factor_kg_co2e_per_kwh: GRID_FACTOR, source: SOURCE, note: NOTE },
  },
  'grid-factors.csv': {
    key: ['country', 'year'],
    columns: {
      country: COUNTRY,
      year: YEAR,
      latest_year: YEAR,
      factor_kg_co2e_per_kwh: GRID_FACTOR,
      source: SOURCE,
    },
  },
  'grid-losses.csv': {
    key: ['country', 'year'],
    columns: {
      country: COUNTRY,
      year: YEAR,
      generation_kg_co2e_per_kwh: GRID_FACTOR,
      losses_kg_co2e_per_kwh: decimal('0', '2'),
      source: SOURCE,
      note: NOTE,
    },
  },
  'grid-series.csv': {
    key: ['id'],
    columns: {
      id: ID,
      name: TEXT,
      is_default: YES_NO,
      electricity: choice(['generation', 'consumption']),
      upstream: YES_NO,
      losses: YES_NO,
      method_version: TEXT,
      published_on: spelling(/^20\d\d-\d\d-\d\d$/, 'a day such as 2026-01-31'),
      source: SOURCE,
      note: NOTE,
    },
  },
  'electricity-maps/yearly-factors.csv': {
    key: ['series', 'country', 'year'],
    columns: { series: ID, country: COUNTRY, year: YEAR, factor_kg_co2e_per_kwh: GRID_FACTOR },
  },
}
