// What labels of a report are called where they are ids or numbers: models and scopes. Others are names by themselves.
import type { Dimension } from '../../reports/emissions-query.ts'
import type { EmissionsReport } from '../../reports/report-emissions.ts'

const SCOPES: Readonly<Record<string, string>> = {
  '2': 'Scope 2: Indirect emissions from purchased electricity',
  '3': 'Scope 3: Other indirect emissions of the value chain',
}

/** Under which member or column a name stands beside its id. */
export const NAMED_BY = { model: 'model_name', scope: 'scope_name' } as const

export const isNamed = (name: Dimension): name is keyof typeof NAMED_BY => Object.hasOwn(NAMED_BY, name)

/** @returns null for what the report is not told of */
export function labelName(
  dimension: keyof typeof NAMED_BY,
  label: string | null,
  { modelNames }: EmissionsReport,
): string | null {
  if (label === null) return null
  return (dimension === 'model' ? modelNames.get(label) : SCOPES[label]) ?? null
}
