// What the errors of a line are. Statements contain these names, so their words do not change.
import { defineMessages } from '../message.ts'

export const ERROR_MESSAGES = defineMessages({
  error_freight: 'pedigree of the freight factor',
  error_packaging: 'pedigree of the packaging factor',
  error_grid: 'pedigree of the grid factor',
  error_grid_series: 'pedigree of the grid factor, and how far series of grid factors are apart in the country',
  error_region: 'assumption: another factor of the region than that of the sheet',
  error_use_share: 'pedigree of the use share, which is that of the type',
  error_fallback: 'interval of the stand-in',
  error_unfitted: 'assumption: nothing was fitted for it',
  error_sheet: 'error that the sheet states',
  error_sheet_unstated: 'error of a sheet that states none',
  error_scenario: 'assumption: another use than that of the scenario',
  error_electricity_of_sheet: 'assumption: another electricity than that of the sheet',
  error_electricity_of_type: 'assumption: another electricity than that of the type',
})
