// What a deployment may take and do, and where its passwords are.
import { after, test } from 'node:test'
import assert from 'node:assert/strict'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { readConfig } from '../src/config.ts'
import { cradle, freshDirectory } from './command.ts'
import { urlOf } from './database-url.ts'
import { durableDatabase } from './fresh-database.ts'

const ROOT = join(import.meta.dirname, '..')
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

interface Service {
  readonly environment?: Readonly<Record<string, string>>
  readonly mem_limit?: string
  readonly cpus?: string | number
  readonly pids_limit?: number
  readonly read_only?: boolean
  readonly cap_drop?: readonly string[]
  readonly security_opt?: readonly string[]
  readonly networks?: readonly string[]
  readonly secrets?: readonly string[]
}

const compose = parse(read('compose.yaml')) as {
  readonly services: Readonly<Record<string, Service>>
  readonly networks: Readonly<Record<string, { readonly internal?: boolean } | null>>
  readonly secrets: Readonly<Record<string, { readonly file: string }>>
}

test('in compose every container has limits of memory, processors and processes, and no rights to spare', () => {
  for (const [name, service] of Object.entries(compose.services)) {
    assert.match(service.mem_limit ?? '', /^(\d+[mg]|\$\{\w+:-\d+[mg]\})$/, name)
    assert.match(String(service.cpus), /^(\d+|\$\{\w+:-\d+\})$/, name)
    assert.ok(service.pids_limit! > 0, name)
    assert.equal(service.read_only, true, name)
    assert.deepEqual(service.cap_drop, ['ALL'], name)
    assert.deepEqual(service.security_opt, ['no-new-privileges:true'], name)
    for (const network of service.networks!) assert.ok(network in compose.networks, name)
  }
  assert.equal(compose.networks['database']!.internal, true)
  assert.deepEqual(compose.services['postgres']!.networks, ['database'])
})

test('compose keeps passwords in files alone, which nobody commits, and each service names where it is mounted', () => {
  for (const [name, { environment = {}, secrets = [] }] of Object.entries(compose.services)) {
    for (const secret of secrets) assert.match(compose.secrets[secret]!.file, /^\.\/secrets\//, name)
    const passwords = Object.entries(environment).filter(([variable]) => variable.includes('PASSWORD'))
    assert.deepEqual(
      passwords.map(([variable, file]) => [variable.endsWith('_FILE'), file]),
      secrets.map((secret) => [true, `/run/secrets/${secret}`]),
    )
    for (const value of Object.values(environment)) assert.doesNotMatch(value, /:\/\/[^@/]*:[^@/]*@/, name)
  }
  assert.match(read('.gitignore'), /^secrets\/$/m)
})

const directory = freshDirectory()
after(() => rmSync(directory, { recursive: true, force: true }))

function passwordFile(password: string): string {
  const file = join(directory, 'password')
  writeFileSync(file, password)
  return file
}

test('the password of the database may be in a file, whatever its characters, and is shown in no error', async () => {
  const hostile = 'a/b@c:d%41 #?[é"'
  const { databaseUrl } = readConfig({
    DATABASE_URL: 'postgres://cradle@postgres:5432/cradle',
    DATABASE_PASSWORD_FILE: passwordFile(`${hostile}\n`),
  })
  assert.equal(decodeURIComponent(new URL(databaseUrl!).password), hostile)
  const { connection } = await durableDatabase()
  const DATABASE_URL = urlOf(connection).replace(/:[^:@/]*@/, '@')
  assert.ok(!DATABASE_URL.includes(connection.password))
  const doctor = (password: string) =>
    cradle(['doctor'], { DATABASE_URL, DATABASE_PASSWORD_FILE: passwordFile(password) })
  assert.match((await doctor(connection.password)).stdout, /^right +postgresql /m)
  const { stdout, stderr } = await doctor('secret-word')
  assert.match(stdout, /password authentication failed/)
  assert.doesNotMatch(stdout + stderr, /secret-word/)
  for (const [url, file, why] of [
    ['postgres://cradle:secret-word@x/y', passwordFile('x'), /must have a user and no password/],
    ['postgres://cradle@x/y', join(directory, 'none'), /names .*none, which cannot be read/],
    ['postgres://cradle@x/y', '/dev/null', /names \/dev\/null, which is empty/],
  ] as const) {
    assert.throws(() => readConfig({ DATABASE_URL: url, DATABASE_PASSWORD_FILE: file }), why)
  }
})

test('systemd bounds what the service takes and may do, and ends a loop of crashes', () => {
  const unit = new Map(
    [...read('deploy/cradle.service').matchAll(/^(\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]),
  )
  assert.ok(Number(unit.get('StartLimitBurst')) * 60 <= Number(unit.get('StartLimitIntervalSec')))
  for (const name of ['MemoryMax', 'CPUQuota', 'TasksMax']) assert.match(unit.get(name) ?? '', /^\d+[G%]?$/, name)
  assert.equal(unit.get('ProtectSystem'), 'strict')
  assert.equal(unit.get('CapabilityBoundingSet'), '')
  // The socket of the database is where bin/cradle finds it, which a private /tmp is not.
  assert.match(read('deploy/cradle.service'), new RegExp(`TMPDIR=/run/${unit.get('RuntimeDirectory')}$`, 'm'))
})
