// Tests of the figures that differ between two releases, and of the checks before one is installed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emberRelease } from '../../test/ember-releases.ts'
import { shippedReferenceData } from '../../test/shipped-book.ts'
import { runToCompletion } from '../engine/numbers/steps.ts'
import { checkRelease } from './check-release.ts'
import type { DatasetFiles } from './files.ts'
import { loadReferenceData } from './load.ts'
import { compareReleases, countFigures } from './release-figures.ts'
import { compareVersions, newestRelease, nextVersion } from '../engine/reference/release-version.ts'

const { files } = shippedReferenceData()
const compare = (a: DatasetFiles, b: DatasetFiles) => runToCompletion(compareReleases(a, b))
const AIR = 'apple-macbook-air-13-m2-256gb-2022'
const withText = (name: string, old: string, replacement: string) => {
  assert.equal(files.get(name)!.split(old).length, 2, `${old} stands in ${name} once`)
  return new Map(files).set(name, files.get(name)!.replace(old, replacement))
}

test('two publications of the same year differ exactly in the four published figures', () => {
  const [a, b] = [emberRelease('2024.01'), emberRelease('2024.02')]
  for (const release of [a, b]) assert.doesNotThrow(() => loadReferenceData(release))
  const { changes, otherFiles } = compare(a, b)
  assert.deepEqual(
    changes.map(({ kind, key, change, old, new: current, percent }) => [kind, key, change, old, current, percent]),
    [
      ['AT', '0.15822', '0.14179', '-10.38'],
      ['DE', '0.38539', '0.42006', '9'],
      ['IN', '0.6334', '0.70513', '11.32'],
      ['US', '0.3681', '0.41037', '11.48'],
    ].map(([country, old, current, percent]) => [
      'grid_factor',
      `grid_factor/${country}/2022/factor_kg_co2e_per_kwh`,
      'changed',
      old,
      current,
      percent,
    ]),
  )
  assert.deepEqual(otherFiles, [])
})

test('a release differs from itself in nothing, and every figure of it is counted', () => {
  assert.deepEqual(compare(files, new Map(files)), { changes: [], otherFiles: [] })
  const counts = runToCompletion(countFigures(files))
  const added = compare(new Map(), files).changes
  for (const [kind, count] of Object.entries(counts))
    assert.equal(added.filter((one) => one.kind === kind && one.change === 'added').length, count, kind)
  assert.equal(
    added.length,
    Object.values(counts).reduce((sum, count) => sum + count),
  )
})

test('figures that are written otherwise but equal do not differ; words that differ are named by their file', () => {
  const written = withText('it-equipment.csv', '24.86547556', '24.865475560')
  assert.deepEqual(compare(files, written), { changes: [], otherFiles: ['it-equipment.csv'] })
})

test('added and removed figures stand with the one that there is', () => {
  const row = new RegExp(`^${AIR},.*\n`, 'm')
  const without = new Map(files).set(
    'devices/device-models.csv',
    files.get('devices/device-models.csv')!.replace(row, ''),
  )
  const key = `model/${AIR}/total_kg_co2e`
  const find = (a: DatasetFiles, b: DatasetFiles) => compare(a, b).changes.find((change) => change.key === key)
  assert.deepEqual(find(files, without), {
    kind: 'model',
    key,
    change: 'removed',
    old: '147',
    new: null,
    percent: null,
  })
  assert.deepEqual(find(without, files), { kind: 'model', key, change: 'added', old: null, new: '147', percent: null })
})

const faultsOf = (release: DatasetFiles) => checkRelease(release, files).faults.map(({ rule }) => rule)

test('a figure that moves by more than 20 % needs a reason, one that moves by 20 % does not', () => {
  const moved = (factor: string) => withText('it-equipment.csv', '24.86547556', factor)
  assert.deepEqual(faultsOf(moved('29.838570672')), [])
  assert.deepEqual(faultsOf(moved('29.838570673')), ['unexplained-jump'])
  assert.deepEqual(faultsOf(moved('19.892380447')), ['unexplained-jump'])
  const reasons = (key: string) => moved('30').set('changes.csv', `key,reason\n${key},another source\n`)
  const key = 'it_equipment/it-equipment/factor_kg_co2e_per_kg'
  assert.deepEqual(faultsOf(reasons(key)), [])
  assert.deepEqual(faultsOf(reasons('it_equipment/*')), [])
  assert.deepEqual(faultsOf(reasons('packaging/*')), ['unexplained-jump'])
  assert.deepEqual(faultsOf(reasons(key).set('changes.csv', `key,reason\n${key},\n`)), ['empty-cell'])
  assert.deepEqual(checkRelease(moved('30'), null).faults, [])
})

test('all faults of a release are found at once', () => {
  const broken = withText('sources.csv', ',OGL-UK-3.0', ',secret')
    .set('RELEASE', 'soon')
    .set('PARENT', 'mine')
    .set('changes.csv', 'key\n')
  assert.deepEqual(faultsOf(broken), ['bad-release', 'not-in-list', 'bad-parent', 'missing-column'])
})

test('the number of a release decides its place, not its name or its time', () => {
  const sorted = ['2026.09', '2026.12', '2026.12.1', '2026.12.2', '2026.12.10', '2027.01']
  assert.deepEqual(sorted.toReversed().sort(compareVersions), sorted)
  assert.ok(compareVersions('cases', '2000.01') < 0)
  assert.deepEqual(['2026.12', '2026.12.9'].map(nextVersion), ['2026.12.1', '2026.12.10'])
  const shipped = { name: '2026.12-aaaaaaaa' }
  const one = (name: string, installedAt: Date | null = new Date(0)) => ({ name, installedAt })
  const newest = (...all: ReturnType<typeof one>[]) => newestRelease(shipped, all).name
  assert.equal(newest(), shipped.name)
  assert.equal(newest(one('2026.11-bbbbbbbb'), one('2027.01-cccccccc', null)), shipped.name)
  assert.equal(newest(one('2026.12.10-dddddddd'), one('2026.12.9-eeeeeeee')), '2026.12.10-dddddddd')
  assert.equal(newest(one('2026.12-ffffffff')), '2026.12-ffffffff')
})
