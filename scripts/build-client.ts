// Builds the TypeScript client: clients/typescript/dist has plain JavaScript and its types.
import { execFileSync } from 'node:child_process'
import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')
const CLIENT = join(ROOT, 'clients', 'typescript')
const OUT = join(CLIENT, 'dist')

rmSync(OUT, { recursive: true, force: true })
const tsc = join(ROOT, 'node_modules', 'typescript-7', 'bin', 'tsc')
execFileSync(process.execPath, [tsc, '-p', CLIENT, '--checkers', '1'], { stdio: 'inherit' })
cpSync(join(CLIENT, 'src', 'generated', 'api.d.ts'), join(OUT, 'generated', 'api.d.ts'))
cpSync(join(ROOT, 'LICENSE'), join(CLIENT, 'LICENSE'))
// The compiler changes the names of imported files in JavaScript alone.
for (const path of globSync('**/*.d.ts', { cwd: OUT }).map((name) => join(OUT, name)))
  writeFileSync(path, readFileSync(path, 'utf8').replaceAll(/(from '\.[^']*)\.ts'/g, "$1.js'"))
