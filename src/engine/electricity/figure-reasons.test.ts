// Figures of the inventory of electricity that move by more than 20 % need a reason.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { giveReasons, type ComparedKind } from './figure-reasons.ts'

type Rows = readonly (readonly [id: string, value: number, reason?: string])[]

const figuresOf = (member: string, rows: Rows) =>
  rows.map(([id, value, reason]) => ({ id, body: { [member]: value, ...(reason && { reason }) } }))

function given(kind: ComparedKind, sent: Rows, stored: Rows, reason: string | null = null) {
  const member = kind === 'grid-loss' ? 'share' : 'factor_kg_co2e_per_kwh'
  const { figures, jumps } = giveReasons(kind, figuresOf(member, sent), figuresOf(member, stored), reason)
  const reasons = figures.map(({ body }) => (body as { readonly reason?: string }).reason)
  return { reasons, jumps: jumps.map(({ id, than }) => `${id} than ${than.value} of ${than.id}`) }
}

const jumpsOf = (...all: Parameters<typeof given>) => given(...all).jumps

test('a year is compared with the one before it, to exactly 20 % of that, in both directions', () => {
  const before: Rows = [['DE-2023', 0.5]]
  for (const kind of ['residual-mix', 'grid-loss'] as const) {
    assert.deepEqual(jumpsOf(kind, [['DE-2024', 0.6]], before), [])
    assert.deepEqual(jumpsOf(kind, [['DE-2024', 0.4]], before), [])
    assert.deepEqual(jumpsOf(kind, [['DE-2024', 0.600001]], before), ['DE-2024 than 0.5 of DE-2023'])
    assert.deepEqual(jumpsOf(kind, [['DE-2024', 0.399999]], before), ['DE-2024 than 0.5 of DE-2023'])
    assert.deepEqual(jumpsOf(kind, [['DE-2025', 0.9]], before), [], 'an earlier year is no neighbour')
    assert.deepEqual(jumpsOf(kind, [['FR-2024', 0.9]], before), [], 'nor is another country')
  }
  assert.deepEqual(jumpsOf('grid-loss', [['DE-2024', 0.01]], [['DE-2023', 0]]), ['DE-2024 than 0 of DE-2023'])
})

test('a month is near if it is near the same month a year before or the month before', () => {
  const january: readonly [string, number] = ['DE-2025-01', 0.4]
  const year: Rows = [['DE-2024-01', 0.41]]
  const month: Rows = [['DE-2024-12', 0.2]]
  assert.deepEqual(jumpsOf('grid-month', [january], [...year, ...month]), [])
  assert.deepEqual(jumpsOf('grid-month', [january], month), ['DE-2025-01 than 0.2 of DE-2024-12'])
  const all: Rows = [['DE-2024-01', 0.8], ...month]
  assert.deepEqual(jumpsOf('grid-month', [january], all), ['DE-2025-01 than 0.8 of DE-2024-01'])
  assert.deepEqual(jumpsOf('grid-month', [january], [['DE-2024-11', 0.1]]), [])
})

test('the figures of a file are compared with each other, in any order, and not with what they replace', () => {
  const file: Rows = [
    ['SE-2025', 0.3],
    ['SE-2024', 0.1],
    ['SE-2023', 0.1],
  ]
  assert.deepEqual(jumpsOf('residual-mix', file, []), ['SE-2025 than 0.1 of SE-2024'])
  const replaced: Rows = [['SE-2024', 0.3]]
  assert.deepEqual(jumpsOf('residual-mix', file, replaced), [
    'SE-2025 than 0.1 of SE-2024',
    'SE-2024 than 0.3 of SE-2024',
  ])
})

test('a reason is for the figures that need one, and stays until the value leaves it', () => {
  const file: Rows = [
    ['SE-2023', 0.1],
    ['SE-2024', 0.3],
    ['SE-2025', 0.9, 'own'],
  ]
  assert.deepEqual(given('residual-mix', file, [], 'a dry year'), {
    reasons: [undefined, 'a dry year', 'own'],
    jumps: [],
  })
  const stored: Rows = [
    ['SE-2023', 0.1],
    ['SE-2024', 0.3, 'a dry year'],
  ]
  assert.deepEqual(given('residual-mix', [['SE-2024', 0.3]], stored, 'another'), {
    reasons: ['a dry year'],
    jumps: [],
  })
  assert.deepEqual(given('residual-mix', [['SE-2024', 0.31]], stored), { reasons: ['a dry year'], jumps: [] })
  assert.deepEqual(jumpsOf('residual-mix', [['SE-2024', 0.1]], stored), ['SE-2024 than 0.3 of SE-2024'])
  const told = given('residual-mix', [['SE-2024', 0.1, 'misprint']], stored)
  assert.deepEqual(told, { reasons: ['misprint'], jumps: [] })
})

test('a stored figure that never had a reason is not asked for one as long as its value stays', () => {
  const stored: Rows = [
    ['SE-2023', 0.1],
    ['SE-2024', 0.3],
  ]
  assert.deepEqual(given('residual-mix', [['SE-2024', 0.3]], stored), { reasons: [undefined], jumps: [] })
  assert.deepEqual(jumpsOf('residual-mix', [['SE-2024', 0.31]], stored), ['SE-2024 than 0.1 of SE-2023'])
})
