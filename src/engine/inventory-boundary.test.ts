// Scope and category of every part for lessee and lessor, as in the tables of METHODOLOGY.md#scopes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  CONSOLIDATION_APPROACHES,
  REPORTING_ENTITIES,
  ALL_GHG_LABELS,
  LEASE_TYPES,
  DEFAULT_BOUNDARY,
  classify,
  classifyRefurbishment,
  countedWith,
  type InventoryBoundary,
} from './inventory-boundary.ts'
import { GHG_LABELS, PARTS } from './numbers/emission.ts'

/** In the order embodied, use, packaging, transportation; `whole` if the device is counted once and in full. */
const TABLE = {
  'lessee operational operating': ['3.1', '2', '3.1', '3.4'],
  'lessee operational finance': ['3.2 whole', '2', '3.1', '3.4'],
  'lessee financial operating': ['3.1', '3.8', '3.1', '3.4'],
  'lessee financial finance': ['3.2 whole', '2', '3.1', '3.4'],
  'lessor operational operating': ['3.2 whole', '3.13', '3.1', '3.4'],
  'lessor operational finance': ['3.2 whole', '3.13', '3.1', '3.4'],
  'lessor financial operating': ['3.2 whole', '2', '3.1', '3.4'],
  'lessor financial finance': ['3.2 whole', '3.13', '3.1', '3.4'],
}

const boundaries: readonly InventoryBoundary[] = REPORTING_ENTITIES.flatMap((reportingEntity) =>
  CONSOLIDATION_APPROACHES.flatMap((consolidationApproach) =>
    LEASE_TYPES.map((leaseType) => ({ reportingEntity, consolidationApproach, leaseType })),
  ),
)

/** `3.2 whole`: scope 3, category 2, device counted once and in full. */
function brief(part: (typeof PARTS)[number], boundary: InventoryBoundary): string {
  const { scope, category, counting } = classify(part, boundary)
  const number = /^Category (\d+):/.exec(category)?.[1]
  return `${scope}${number === undefined ? '' : `.${number}`}${counting === 'whole' ? ' whole' : ''}`
}

test('every part has the scope and category of the tables, for both entities, approaches and lease types', () => {
  const found = Object.fromEntries(
    boundaries.map((boundary) => [Object.values(boundary).join(' '), PARTS.map((part) => brief(part, boundary))]),
  )
  assert.deepEqual(found, TABLE)
})

test('the default boundary has the labels of the contract', () => {
  for (const part of PARTS) {
    const { scope, category } = classify(part, DEFAULT_BOUNDARY)
    assert.deepEqual({ scope, category }, GHG_LABELS[part])
  }
})

test('no device’s embodied footprint is posted share by share in the inventory of its owner', () => {
  for (const boundary of boundaries.filter(({ reportingEntity }) => reportingEntity === 'lessor')) {
    assert.equal(classify('product_embodied_emission', boundary).counting, 'whole')
    assert.equal(classifyRefurbishment(boundary)?.category, 'Category 1: Purchased goods and services')
  }
  assert.equal(classifyRefurbishment(DEFAULT_BOUNDARY), null)
})

test('a posted part counts with the lessor only where the lessor alone has its electricity in scope 2', () => {
  for (const { reportingEntity: _, ...boundary } of boundaries)
    for (const part of PARTS) {
      const scopes = REPORTING_ENTITIES.map((reportingEntity) => classify(part, { ...boundary, reportingEntity }).scope)
      assert.notDeepEqual(scopes, ['2', '2'])
      assert.equal(countedWith(part, boundary), scopes[1] === '2' ? 'lessor' : 'lessee')
    }
})

test('every booking says in a sentence why, and bears a label of the list', () => {
  for (const boundary of boundaries) {
    for (const part of PARTS) {
      const { scope, category, reason } = classify(part, boundary)
      assert.ok(ALL_GHG_LABELS.some((label) => label.scope === scope && label.category === category))
      assert.match(reason.message, /^[A-Z].+\.$/)
    }
  }
})
