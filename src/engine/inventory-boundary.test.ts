// Scope and category of every part in both books, against the tables of METHODOLOGY.md#scopes.
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
  type InventoryBoundary,
} from './inventory-boundary.ts'
import { GHG_LABELS, PARTS } from './numbers/emission.ts'

/** Part by part: embodied, use, packaging, transportation; `whole` where the device counts once and in full. */
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

const views: readonly InventoryBoundary[] = REPORTING_ENTITIES.flatMap((book) =>
  CONSOLIDATION_APPROACHES.flatMap((approach) => LEASE_TYPES.map((lease) => ({ book, approach, lease }))),
)

/** `3.2 whole`: scope 3, category 2, the device once and in full. */
function brief(part: (typeof PARTS)[number], view: InventoryBoundary): string {
  const { scope, category, counting } = classify(part, view)
  const number = /^Category (\d+):/.exec(category)?.[1]
  return `${scope}${number === undefined ? '' : `.${number}`}${counting === 'whole' ? ' whole' : ''}`
}

test('every part stands in both books, under both approaches and leases, where the tables put it', () => {
  const found = Object.fromEntries(
    views.map((view) => [`${view.book} ${view.approach} ${view.lease}`, PARTS.map((part) => brief(part, view))]),
  )
  assert.deepEqual(found, TABLE)
})

test('the usual view is the labels of the contract', () => {
  for (const part of PARTS) {
    const { scope, category } = classify(part, DEFAULT_BOUNDARY)
    assert.deepEqual({ scope, category }, GHG_LABELS[part])
  }
})

test('no device’s embodied footprint is posted share by share in the book of its owner', () => {
  for (const view of views.filter(({ book }) => book === 'lessor')) {
    assert.equal(classify('product_embodied_emission', view).counting, 'whole')
    assert.equal(classifyRefurbishment(view)?.category, 'Category 1: Purchased goods and services')
  }
  assert.equal(classifyRefurbishment(DEFAULT_BOUNDARY), null)
})

test('every booking says in a sentence why, and bears a label of the list', () => {
  for (const view of views) {
    for (const part of PARTS) {
      const { scope, category, reason } = classify(part, view)
      assert.ok(ALL_GHG_LABELS.some((label) => label.scope === scope && label.category === category))
      assert.match(reason, /^[A-Z].+\.$/)
    }
  }
})
