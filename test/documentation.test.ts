// The documentation is run and compared: commands exist, answers are what the service answers, links lead on.
import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { before, test } from 'node:test'
import { parse } from 'csv-parse/sync'
import { figureColumns } from '../src/contract/parse-figures.ts'
import { isInventoryKind } from '../src/engine/electricity/inventory-figures.ts'
import { FIGURE_PATHS } from '../src/http/routes/own-figure-paths.ts'
import { EXAMPLE_ORDER } from '../src/http/schemas/examples.ts'
import { ENTRY_COLUMNS, EVENT_COLUMNS, deviceColumns, orderColumns } from '../src/http/views/export-columns.ts'
import { EXPORT_COLUMN } from '../src/spreadsheets/columns.ts'
import type { Column } from '../src/spreadsheets/export-table.ts'
import { anchorsOf, blocksOf, linksOf, tableOf } from './markdown.ts'
import { startService, type Service } from './service.ts'

const ROOT = join(import.meta.dirname, '..')
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')
const documents = globSync(
  ['*.md', '{docs,data}/**/*.md', '{bench/results,console}/*.md', 'clients/{,typescript/}*.md'],
  { cwd: ROOT },
).sort()
const readme = read('README.md')
/** The commands of each continue those of the one before. */
const guides = ['integrating', 'imports', 'passports'].map((name) => read(`docs/${name}.md`))
const shell = [readme, ...guides].flatMap((text) => blocksOf(text, 'sh')).join('\n')

const order = /^ORDER='(.+)'$/m.exec(shell)?.[1] ?? ''

let service: Service
const WEBHOOKS = { publicUrl: null, rules: { ports: [443], allowsLoopback: true } }
before(async () => void (service = await startService({ settings: { webhooks: WEBHOOKS } })))

test('a document is no longer than a reader takes in at a time (docs/decisions/0042-documents-and-tests.md)', () => {
  const boundOf = (path: string): number => {
    if (path.startsWith('docs/decisions/')) return 60
    return path === 'README.md' ? 100 : path === 'ARCHITECTURE.md' ? 200 : 440
  }
  const bounded = documents.filter((path) => /^(?:docs\/|README|ARCHITECTURE)/.test(path))
  assert.ok(bounded.length > 50)
  assert.deepEqual(
    bounded.filter((path) => read(path).split('\n').length - 1 > boundOf(path)),
    [],
  )
})

/** Sends the README's order to a path of the README, as its curl does. */
async function send(path: string): Promise<string> {
  const answer = await fetch(service.server.url + path, {
    method: 'POST',
    headers: { 'X-API-Key': service.key, 'Content-Type': 'application/json' },
    body: order,
  })
  assert.equal(answer.status, 200)
  return answer.text()
}

test('the README’s order gets the answer that the README shows', async () => {
  assert.match(shell, /^curl -s localhost:8080\/api\/customer-orders -H .* -d "\$ORDER"$/m)
  const [shown] = blocksOf(readme, 'json')
  const answered = await send('/api/customer-orders')
  assert.deepEqual(withoutTime(JSON.parse(shown!)), withoutTime(JSON.parse(answered)))
  assert.equal(JSON.stringify(withoutTime(JSON.parse(shown!))), JSON.stringify(withoutTime(JSON.parse(answered))))
})

test('every curl of the README, docs/integrating.md, docs/imports.md and docs/passports.md is answered', async () => {
  const { server, key } = service
  const answers: string[] = []
  const files = new Map<string, string>()
  for (const command of shell.replaceAll('\\\n', ' ').match(/^curl .*$/gm)!) {
    const { path, saved, ...request } = readCurl(command, files)
    const answer = await fetch(server.url + path, { ...request, headers: { ...request.headers, 'X-API-Key': key } })
    const text = await answer.text()
    assert.ok(answer.ok, `${command}: ${text}`)
    if (saved !== undefined) files.set(saved, text)
    answers.push(text)
  }
  assert.ok(answers.length >= 8)
})

test('the passport that docs/passports.md shows is that of the example', () => {
  const [shown] = blocksOf(read('docs/passports.md'), 'json')
  const { get } = service.document.paths['/api/devices/{serial}/passport'] as unknown as Documented
  const passport = get.responses['200'].content['application/json']!.example
  for (const [name, value] of Object.entries(JSON.parse(shown!) as object))
    assert.deepEqual(value, passport[name], name)
})

interface Documented {
  readonly get: { readonly responses: { readonly '200': { readonly content: Readonly<Record<string, Example>> } } }
}
interface Example {
  readonly example: Readonly<Record<string, unknown>>
}

/** What a curl of the README sends: its strings are quoted, the order is that of the variable, files those it saved. */
function readCurl(command: string, files: ReadonlyMap<string, string>) {
  const words = [...command.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(([, a, b, c]) => a ?? b ?? c!)
  const valuesOf = (flag: string) => words.filter((_, at) => words[at - 1] === flag)
  const [file] = valuesOf('--data-binary').map((name) => name.slice(1))
  const sent = file === undefined ? valuesOf('-d')[0] : files.get(file)!
  const headers = valuesOf('-H').map((header) => header.split(': ', 2) as [string, string])
  const stated = headers.filter(([name]) => name !== 'X-API-Key')
  const query = new URLSearchParams(valuesOf('--data-urlencode').map((pair) => pair.split('=', 2) as [string, string]))
  const address = words.find((word) => word.startsWith('localhost:8080'))!
  return {
    method: valuesOf('-X')[0] ?? (sent === undefined ? 'GET' : 'POST'),
    path: address.slice('localhost:8080'.length) + (query.size > 0 ? `?${query.toString()}` : ''),
    saved: valuesOf('-o')[0],
    headers: { ...(sent !== undefined && { 'Content-Type': 'application/json' }), ...Object.fromEntries(stated) },
    ...(sent !== undefined && { body: sent === '$ORDER' ? order : sent }),
  }
}

const withoutTime = (answer: unknown): unknown => ({ ...(answer as object), created_at: null })

test('the README’s order is the one that the start message and the reference show', () => {
  assert.deepEqual(JSON.parse(order), EXAMPLE_ORDER)
})

test('the formulas that the README shows are those of the calculation', async () => {
  const path = /localhost:8080(\/api\/customer-orders\?include=calculation)"/.exec(shell)?.[1]
  const answered = await send(path!)
  const [shown] = blocksOf(readme, 'text')
  assert.deepEqual(shown!.trimEnd().split('\n'), answered.match(/"formula":"[^"]*"/g))
})

test('every npm command and every file that the documents name is there', () => {
  const { scripts } = JSON.parse(read('package.json')) as { readonly scripts: Readonly<Record<string, string>> }
  const missing = documents.flatMap((path) => {
    const text = read(path)
    const commands = [...text.matchAll(/npm (?:run (?:-s )?)([\w:-]+)|npm (start|test)\b/g)]
    const files = [
      ...text.matchAll(/(?:^|[\s`(])((?:src|test|scripts|bench|data|docs|sql|bin)\/[\w./-]*\w)(?=[`\s),;:]|\.\s|$)/gm),
    ]
    return [
      ...commands.map(([, run, plain]) => run ?? plain!).filter((name) => !scripts[name]),
      ...files.map(([, file]) => file!).filter((file) => !existsSync(join(ROOT, file))),
    ].map((name) => `${path}: ${name}`)
  })
  assert.deepEqual(missing, [])
})

test('docs/operating.md lists the environment variables that the program reads', () => {
  const named = tableOf(read('docs/operating.md'), 'variable').flatMap(([names]) =>
    names!.replaceAll('`', '').split(', '),
  )
  const used = [...read('src/config.ts').matchAll(/environment\['(\w+)'\]/g)].map(([, name]) => name!)
  assert.deepEqual(named.toSorted(), [...new Set(used)].toSorted())
})

test('docs/formats.md lists the columns of exports that imports do not have', () => {
  const added = <Row>(columns: readonly Column<Row>[]) => columns.filter(({ name }) => name.startsWith(EXPORT_COLUMN))
  const exported: Readonly<Record<string, readonly { readonly name: string }[]>> = {
    orders: added(orderColumns(null)),
    events: added(EVENT_COLUMNS),
    devices: deviceColumns(1),
    entries: ENTRY_COLUMNS,
  }
  assert.deepEqual(
    tableOf(read('docs/formats.md'), 'export', 'column')
      .flatMap(([kind, names]) =>
        names!
          .replaceAll('`', '')
          .split(', ')
          .map((name) => `${kind!} ${name}`),
      )
      .toSorted(),
    Object.entries(exported)
      .flatMap(([kind, columns]) => columns.map(({ name }) => `${kind} ${name}`))
      .toSorted(),
  )
})

test('docs/formats.md lists the columns of files for the inventory of electricity', () => {
  const rows = tableOf(read('docs/formats.md'), 'path', 'column').map(([path, names]) => ({
    path: path!.replaceAll('`', ''),
    names: names!.replaceAll('`', '').split(', '),
  }))
  for (const { kind, path } of FIGURE_PATHS.filter((at) => isInventoryKind(at.kind))) {
    const listed = rows.filter((row) => row.path === path || row.path === 'all').flatMap(({ names }) => names)
    assert.deepEqual(listed.toSorted(), [...figureColumns(kind)].toSorted(), path)
  }
})

test('the stand-ins by type in METHODOLOGY.md are those of the data', () => {
  const rows: readonly Readonly<Record<string, string>>[] = parse(read('data/devices/type-defaults.csv'), {
    columns: true,
  })
  const columns = [
    'type',
    'embodied_kg_co2e',
    'use_share',
    'lifetime_months',
    'yearly_energy_kwh',
    'weight_kg',
    'assumed',
  ]
  assert.deepEqual(
    tableOf(read('METHODOLOGY.md'), 'type', 'embodied, kg CO2e'),
    rows.map((row) => columns.map((column) => row[column])),
  )
})

test('the distance adjustments in METHODOLOGY.md are those of the data', () => {
  const rows: readonly Readonly<Record<string, string>>[] = parse(read('data/distance-adjustments.csv'), {
    columns: true,
  })
  assert.deepEqual(
    tableOf(read('METHODOLOGY.md'), 'mode').map(([mode, , , formula]) => [mode, ...formula!.match(/\d+(\.\d+)?/g)!]),
    rows.map(({ mode, multiplier, added_km }) => [mode, multiplier, added_km]),
  )
})

test('data/README.md names every table of the data, with its number of rows', () => {
  const counts = globSync('**/*.csv', { cwd: join(ROOT, 'data') }).map((file) => {
    const rows: readonly unknown[] = parse(read(`data/${file}`), { columns: true })
    return [`\`${file}\``, String(rows.length)]
  })
  const stated = tableOf(read('data/README.md'), 'file', 'rows').flatMap(([file, rows]) => (rows ? [[file, rows]] : []))
  assert.deepEqual(stated.toSorted(), counts.toSorted())
})

test('the rows that CONTRIBUTING.md shows stand in the files', () => {
  const catalogue = ['device-models', 'aliases'].map((name) => read(`data/devices/${name}.csv`)).join('')
  const shown = blocksOf(read('CONTRIBUTING.md'), 'csv')
  assert.ok(shown.length > 0)
  for (const row of shown) assert.ok(catalogue.includes(`\n${row}`), row)
})

test('every link between documents leads somewhere', () => {
  const broken = documents.flatMap((path) =>
    linksOf(read(path))
      .filter((target) => !/^[a-z]+:/.test(target))
      .filter((target) => !leadsOn(path, target))
      .map((target) => `${path} → ${target}`),
  )
  assert.deepEqual(broken, [])
})

function leadsOn(from: string, target: string): boolean {
  const [file, anchor] = target.split('#')
  const path = file === '' ? from : join(dirname(from), file!)
  if (!existsSync(join(ROOT, path))) return false
  return anchor === undefined || anchorsOf(read(path)).has(anchor)
}

test('every decision is in the list of decisions, and numbered in a row', () => {
  const decisions = globSync('[0-9]*.md', { cwd: join(ROOT, 'docs', 'decisions') }).sort()
  assert.deepEqual(linksOf(read('docs/decisions/README.md')), decisions)
  assert.deepEqual(
    decisions.map((name) => Number(name.slice(0, 4))),
    decisions.map((_, at) => at + 1),
  )
})

test('every dependency has a line that says why', () => {
  const { dependencies, optionalDependencies, devDependencies } = JSON.parse(read('package.json')) as Readonly<
    Record<string, Readonly<Record<string, string>>>
  >
  const named = tableOf(read('docs/decisions/0009-dependencies.md'), 'package').flatMap(([cell]) =>
    [...cell!.matchAll(/`([^`]+)`/g)].map(([, name]) => name!),
  )
  const used = Object.keys({ ...dependencies, ...optionalDependencies, ...devDependencies })
  assert.deepEqual(named.toSorted(), used.toSorted())
})
