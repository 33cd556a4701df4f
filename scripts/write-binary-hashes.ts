// Writes binaries.sha256: hashes of Node and PostgreSQL for every platform, from the packages of package-lock.json.
import { execFileSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { digestFiles } from '../src/postgres/embedded/verify-binaries.ts'

const ROOT = join(import.meta.dirname, '..')

interface Locked {
  readonly version: string
  readonly integrity: string
}

const readJson = (name: string): unknown => JSON.parse(readFileSync(join(ROOT, name), 'utf8'))
const { optionalDependencies } = readJson('package.json') as {
  readonly optionalDependencies: Readonly<Record<string, string>>
}
const { packages } = readJson('package-lock.json') as { readonly packages: Readonly<Record<string, Locked>> }

const lines = Object.keys(optionalDependencies).map((name) => {
  const directory = mkdtempSync(join(tmpdir(), 'cradle-package-'))
  try {
    unpack(name, packages[`node_modules/${name}`]!, directory)
    const path = join(directory, 'package')
    return name.startsWith('node-')
      ? `${hash('sha256', readFileSync(join(path, 'bin', 'node')))}  node_modules/${name}/bin/node\n`
      : `${digestFiles(join(path, 'native'))}  node_modules/${name}/native\n`
  } finally {
    rmSync(directory, { recursive: true })
  }
})
writeFileSync(join(ROOT, 'binaries.sha256'), lines.join(''))

function unpack(name: string, { version, integrity }: Locked, directory: string): void {
  const file = join(
    directory,
    execFileSync('npm', ['pack', '--silent', `${name}@${version}`], { cwd: directory, encoding: 'utf8' }).trim(),
  )
  const actual = `sha512-${hash('sha512', readFileSync(file), 'base64')}`
  if (actual !== integrity) throw new Error(`${name}@${version} is ${actual}, and package-lock.json has ${integrity}`)
  execFileSync('tar', ['-xzf', file, '-C', directory])
}
