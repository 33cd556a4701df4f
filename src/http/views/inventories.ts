// The inventories of a year, and the sources of a customer's emissions, as JSON.
import { METHOD_VERSION } from '../../engine/explanation/calculation.ts'
import { REPORTING_ENTITIES, type ReportingEntity } from '../../engine/inventory-boundary.ts'
import { totalEmissionOf } from '../../engine/ledger-history.ts'
import { EMISSION_UNIT, PARTS, sumMilligrams } from '../../engine/numbers/emission.ts'
import { decimalOf } from '../../engine/numbers/rational.ts'
import { intervalAround } from '../../engine/uncertainty/uncertainty.ts'
import type { InventoriesReport, Inventory, InventoryCase, InventoryLine } from '../../reporting/inventories-report.ts'
import type { EmissionTotal } from '../../reporting/totals.ts'
import {
  SOURCE_SPLITS,
  sharesOfTotal,
  sourcedEmissionsOf,
  splitValue,
  type ShareOfTotal,
  type SourceSplit,
  type SourcedEmission,
} from '../../statements/data-sources.ts'
import type { StatementContent, StatementSource } from '../../statements/statement.ts'
import { exactNumber } from '../../strict-json/json-number.ts'
import { breakdownView, intervalView, kilogramsView } from './emission.ts'
import { referenceView } from './message.ts'

export const inventoriesView = ({ posted, cases, releases }: InventoriesReport, year: number, generatedAt: Date) => ({
  year,
  emission_unit: EMISSION_UNIT,
  posted: {
    ...breakdownView(PARTS.map((part) => [part, kilogramsView(posted[part])])),
    total_emission: kilogramsView(totalEmissionOf(posted)),
  },
  cases: cases.map(caseView),
  dataset_releases: releases,
  method_version: METHOD_VERSION,
  generated_at: generatedAt.toISOString(),
})

const caseView = ({ consolidationApproach, leaseType, inventories, countedOnce }: InventoryCase) => {
  const countedView = (entity: ReportingEntity) => kilogramsView(countedOnce[entity])
  return {
    consolidation_approach: consolidationApproach,
    lease_type: leaseType,
    lessees: inventoryView(inventories.lessee),
    lessor: inventoryView(inventories.lessor),
    counted_once: {
      lessees: countedView('lessee'),
      lessor: countedView('lessor'),
      total_emission: kilogramsView(sumMilligrams(REPORTING_ENTITIES.map((entity) => countedOnce[entity]))),
    },
  }
}

const inventoryView = ({ lines, ...total }: Inventory) => ({ ...totalView(total), lines: lines.map(lineView) })

const lineView = ({ part, classification, ...total }: InventoryLine) => ({
  part,
  ghg_scope: classification.scope,
  ghg_category: classification.category,
  counting: classification.counting,
  reason: classification.reason.message,
  reason_message: referenceView(classification.reason),
  ...totalView(total),
})

const totalView = ({ emission, logSd }: EmissionTotal) => ({
  total_emission: kilogramsView(emission),
  uncertainty: logSd === null ? null : intervalView(intervalAround(emission, logSd)),
})

export function dataSourcesView(content: StatementContent) {
  const { customer_id, year, is_preliminary, summary } = content
  const sourced = sourcedEmissionsOf(content)
  const shares = sharesOfTotal(sourced.map(({ emission }) => emission))
  return {
    customer_id,
    year,
    is_preliminary,
    emission_unit: EMISSION_UNIT,
    total_emission: summary.total_emission,
    emissions: sourced.map((one, at) => sourcedView(one, shares[at]!)),
    ...Object.fromEntries(SOURCE_SPLITS.map((split) => [`by_${split}`, splitView(split, sourced)])),
  }
}

const sourcedView = (one: SourcedEmission, share: ShareOfTotal) => ({
  part: one.part,
  match_level: one.matchLevel,
  ...Object.fromEntries(SOURCE_SPLITS.map((split) => [split, splitValue[split](one)])),
  sources: one.sources.map(sourceView),
  ...shareView(share),
})

const sourceView = ({ title, publisher, year, url, licence, ...own }: StatementSource) => ({
  ...{ title, publisher, year, url, licence },
  ...{ origin: own.origin, version: own.version, document_sha256: own.document_sha256, verified_by: own.verified_by },
})

function splitView(split: SourceSplit, sourced: readonly SourcedEmission[]) {
  const groups = [...Map.groupBy(sourced, splitValue[split])]
  const emissions = groups.map(([, those]) => sumMilligrams(those.map(({ emission }) => emission)))
  return sharesOfTotal(emissions).map((share, at) => ({ [split]: groups[at]![0], ...shareView(share) }))
}

const SHARE_DECIMALS = 4

const shareView = ({ emission, share }: ShareOfTotal) => ({
  emission: kilogramsView(emission),
  share_percent: share === null ? null : exactNumber(decimalOf(share, SHARE_DECIMALS)),
})
