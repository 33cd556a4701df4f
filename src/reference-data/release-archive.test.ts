// Archives of releases: what tar writes is read as it is, and what is no release is refused before it is large.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { linkSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { readArchive } from './release-archive.ts'

const LIMITS = { archiveBytes: 10_000, inflatedBytes: 200_000, entries: 12 }
const root = mkdtempSync(join(tmpdir(), 'cradle-archives-'))
after(() => rmSync(root, { recursive: true }))
const LONG = `${'long-'.repeat(24)}name.csv`

let made = 0
/** A directory with a release in it, what is added to it, and its archive as tar writes it. */
function archiveOf(add: (directory: string) => void = () => {}, words: readonly string[] = ['release']): string {
  const directory = join(root, String((made += 1)))
  mkdirSync(join(directory, 'release', 'devices'), { recursive: true })
  writeFileSync(join(directory, 'release', 'RELEASE'), '2030.01\n')
  writeFileSync(join(directory, 'release', 'devices', 'models.csv'), 'id\nä\n')
  add(join(directory, 'release'))
  execFileSync('tar', ['-czf', join(directory, 'release.tar.gz'), '-C', directory, ...words], { stdio: 'ignore' })
  return join(directory, 'release.tar.gz')
}

const written = (bytes: Buffer): string => {
  const path = join(root, `${(made += 1)}.tar.gz`)
  writeFileSync(path, bytes)
  return path
}
const read = (path: string) => Object.fromEntries(readArchive(path, 'RELEASE', LIMITS))
const refused = (path: string, why: RegExp) => assert.throws(() => read(path), why)

/** A header with a right sum, of a tool that writes whatever it is told. */
function entry(name: string, type: string, size = 0): Buffer {
  const header = Buffer.alloc(512)
  header.write(name)
  header.write(`${size.toString(8).padStart(11, '0')}\0`, 124)
  header.write('        ', 148)
  header.write(type, 156)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return header
}
const END = Buffer.alloc(1024)
const blockOf = (content: string): Buffer => Buffer.concat([Buffer.from(content), Buffer.alloc(512)], 512)

test('files are read by their paths below the directory of the release, whatever form tar gives long names', () => {
  const files = { RELEASE: '2030.01\n', 'devices/models.csv': 'id\nä\n' }
  assert.deepEqual(read(archiveOf()), files)
  assert.deepEqual(read(archiveOf(undefined, ['-C', 'release', '.'])), files)
  const rest = [entry('x', '0', 1), blockOf('x'), entry('RELEASE', '0'), END]
  const record = ` path=${LONG}\n`
  const pax = `${record.length + 3}${record}`
  for (const [type, named] of [
    ['L', `${LONG}\0`],
    ['x', `13 mtime=1.5\n${pax}`],
  ] as const) {
    const long = gzipSync(Buffer.concat([entry('long', type, named.length), blockOf(named), ...rest]))
    assert.deepEqual(read(written(long)), { [LONG]: 'x', RELEASE: '' }, type)
  }
})

test('links, devices and paths that lead out of the archive are refused', () => {
  refused(
    archiveOf((to) => symlinkSync('/etc/passwd', join(to, 'sources.csv'))),
    /"release\/sources\.csv" in the archive is a link/,
  )
  refused(
    archiveOf((to) => linkSync(join(to, 'RELEASE'), join(to, 'sources.csv'))),
    /is a link/,
  )
  for (const name of ['/etc/RELEASE', '../RELEASE', 'a/../../RELEASE', 'c:RELEASE', 'a\\RELEASE'])
    refused(written(gzipSync(Buffer.concat([entry(name, '0'), END]))), /leads out of it/)
  refused(written(gzipSync(Buffer.concat([entry('RELEASE', '3'), END]))), /is a device/)
})

test('an archive is bounded in bytes, packed and unpacked, and in entries', () => {
  refused(written(Buffer.alloc(LIMITS.archiveBytes + 1)), /larger than 10000 bytes/)
  refused(
    archiveOf((to) => writeFileSync(join(to, 'zeros.csv'), Buffer.alloc(LIMITS.inflatedBytes))),
    /larger than 200000 bytes when it is unpacked/,
  )
  refused(
    archiveOf((to) => {
      for (let at = 0; at < LIMITS.entries; at += 1) writeFileSync(join(to, `${at}.csv`), '')
    }),
    /more than 12 entries/,
  )
})

test('what is damaged, no archive or no release is refused with what is wrong', () => {
  refused(written(Buffer.from('id,name\n')), /no archive that gzip compressed/)
  refused(written(gzipSync(Buffer.from('id,name\n'.repeat(100)))), /damaged, or no tar archive/)
  refused(written(gzipSync(entry('RELEASE', '0', 10))), /damaged/)
  refused(written(gzipSync(Buffer.concat([entry('RELEASE', '0')]))), /damaged/)
  refused(written(gzipSync(Buffer.concat([entry('other', '0'), END]))), /no file RELEASE/)
  refused(written(gzipSync(Buffer.concat([entry('RELEASE', '0'), entry('./RELEASE', '0'), END]))), /"RELEASE" twice/)
})
