// What a container is made and watched by: files that parse, agree with one another and with what the program has.
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parser as promQl } from '@prometheus-io/lezer-promql'
import { parse } from 'yaml'
import { EXAMPLE_ORDER } from '../src/http/schemas/examples.ts'
import { SHUTDOWN_DRAIN_MS_MAX, readConfig } from '../src/config.ts'
import { exchange } from './raw-http.ts'
import { startMeasured, startService, type MeasuredService, type Service } from './service.ts'

const ROOT = join(import.meta.dirname, '..')
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

interface Compose {
  readonly services: Readonly<Record<string, ComposeService>>
  readonly volumes: Readonly<Record<string, null>>
}
interface ComposeService {
  readonly build?: string
  readonly image?: string
  readonly environment?: Readonly<Record<string, string>>
  readonly ports?: readonly string[]
  readonly volumes?: readonly string[]
  readonly depends_on?: readonly string[] | Readonly<Record<string, { readonly condition: string }>>
  readonly healthcheck?: { readonly test: readonly string[] }
}
interface Dashboard {
  readonly panels: readonly {
    readonly title: string
    readonly datasource: { readonly uid: string }
    readonly targets: readonly { readonly expr: string }[]
  }[]
}

interface Rule {
  readonly alert: string
  readonly expr: string
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, string>>
}

const compose = parse(read('compose.yaml')) as Compose
const dockerfile = read('Dockerfile').replaceAll('\\\n', ' ')
const dashboard = JSON.parse(read('deploy/grafana/dashboards/cradle.json')) as Dashboard
const alerts = (
  parse(read('deploy/alerts.yml')) as { readonly groups: readonly { readonly rules: readonly Rule[] }[] }
).groups.flatMap(({ rules }) => rules)
const instructions = (name: string): readonly string[] =>
  [...dockerfile.matchAll(new RegExp(`^${name} +(.*)$`, 'gm'))].map(([, rest]) => rest!)

const expressions = [
  ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  ...alerts.map(({ expr }) => expr),
]

type Environment = Readonly<Record<string, string>>
const startWords = (): readonly string[] =>
  (JSON.parse(read('package.json')) as { readonly scripts: { readonly start: string } }).scripts.start.split(' ')
const variablesOf = (words: readonly string[]) => words.filter((word) => word.includes('=') && !word.startsWith('--'))

let service: Service
let measured: MeasuredService
before(async () => {
  service = await startService()
  measured = await startMeasured(service, false)
})
after(async () => {
  await measured.stop()
  await service.stop()
})

test('the image runs as a user without rights, and is healthy by /readyz', () => {
  const user = instructions('USER')
  assert.deepEqual(user, ['node'])
  assert.ok(dockerfile.indexOf('\nUSER') < dockerfile.indexOf('\nCMD'))
  const [healthcheck] = instructions('HEALTHCHECK')
  const command = JSON.parse(/CMD (\[.*\])$/.exec(healthcheck!)![1]!) as readonly string[]
  assert.match(command.at(-1)!, /\/readyz/)
})

test('the health check of the image ends with 0 where the service is ready, with 1 where it is not there', async () => {
  const [, ...words] = JSON.parse(/CMD (\[.*\])$/.exec(instructions('HEALTHCHECK')[0]!)![1]!) as readonly string[]
  const codeAt = (port: string) =>
    new Promise<number>((resolve) =>
      execFile(process.execPath, words, { env: { CRADLE_PORT: port } }, (error) => resolve(error ? 1 : 0)),
    )
  assert.equal(await codeAt(new URL(measured.url).port), 0)
  assert.equal(await codeAt('1'), 1)
})

test('what the image copies and starts is there, and nothing else gets into it', () => {
  const copied = instructions('COPY').flatMap((rest) => {
    const words = rest.split(/ +/)
    return words[0]!.startsWith('--from') ? [] : words.slice(0, -1)
  })
  const allowed = read('.dockerignore')
    .match(/^!.*$/gm)!
    .map((line) => line.slice(1))
  assert.deepEqual([...new Set(copied)].sort(), [...allowed].sort())
  for (const path of copied) assert.ok(existsSync(join(ROOT, path)), path)
  const command = JSON.parse(instructions('CMD').at(-1)!) as readonly string[]
  const words = startWords()
  assert.equal(command[0], 'bin/pinned-node')
  assert.deepEqual(command.slice(1), words.slice(words.indexOf('bin/pinned-node') + 1))
  const variables = variablesOf(words)
  assert.ok(variables.length > 0)
  for (const variable of variables) assert.match(instructions('ENV').join(' '), new RegExp(`(^| )${variable}( |$)`))
})

test('systemd starts what npm start does, and tells the program alone to stop', () => {
  const settings = [...read('deploy/cradle.service').matchAll(/^(\w+)=(.*)$/gm)].map(([, name, value]) => [name, value])
  const valuesOf = (wanted: string) => settings.filter(([name]) => name === wanted).map(([, value]) => value!)
  const [directory] = valuesOf('WorkingDirectory')
  const words = startWords()
  const [program, ...rest] = valuesOf('ExecStart')[0]!.split(' ')
  assert.equal(program, `${directory}/bin/pinned-node`)
  assert.deepEqual(rest, words.slice(words.indexOf('bin/pinned-node') + 1))
  const environment = valuesOf('Environment').join(' ')
  for (const variable of variablesOf(words)) {
    const [name] = variable.split('=')
    assert.ok(environment.includes(name === 'NODE_COMPILE_CACHE' ? `${name}=` : variable), variable)
  }
  const { CRADLE_DATA_DIR } = Object.fromEntries(environment.split(' ').map((one) => one.split('='))) as Environment
  assert.equal(CRADLE_DATA_DIR, `/var/lib/${valuesOf('StateDirectory')[0]}/data`)
  // PostgreSQL, told itself, would break off what is being stored.
  assert.deepEqual(valuesOf('KillMode'), ['mixed'])
  assert.ok(Number(valuesOf('TimeoutStopSec')[0]) * 1000 > SHUTDOWN_DRAIN_MS_MAX)
})

test('compose names what is there: volumes, files, services, and variables that the program reads', () => {
  const { services, volumes } = compose
  for (const [name, { build, image, volumes: mounted = [], depends_on: after = [] }] of Object.entries(services)) {
    assert.ok(build === '.' || /^[\w./-]+:v?\d[\w.]*$/.test(image ?? ''), `${name} has no version`)
    for (const one of Array.isArray(after) ? (after as readonly string[]) : Object.keys(after)) assert.ok(services[one])
    for (const mount of mounted) {
      const [source] = mount.split(':') as [string]
      assert.ok(source.startsWith('./') ? existsSync(join(ROOT, source)) : source in volumes, mount)
    }
  }
  const environment = { ...services['cradle']!.environment, CRADLE_HOST: '0.0.0.0' }
  const { databaseUrl, metricsPort } = readConfig({ ...environment, DATABASE_PASSWORD_FILE: '' })
  assert.ok(databaseUrl?.includes('@postgres:5432/'))
  const own = [...read('src/config.ts').matchAll(/environment\['(\w+)'\]/g)].map(([, name]) => name!)
  // Read by the C library and by Node: less memory lies idle, and nothing is compiled twice.
  const known = [...own, 'MALLOC_ARENA_MAX', 'MALLOC_MMAP_THRESHOLD_', 'NODE_COMPILE_CACHE']
  const used = [...Object.keys(environment), ...instructions('ENV').flatMap((rest) => rest.match(/\w+(?==)/g)!)]
  for (const name of used) assert.ok(known.includes(name), name)
  const prometheus = parse(read('deploy/prometheus.yml')) as {
    readonly rule_files: readonly string[]
    readonly scrape_configs: readonly {
      readonly job_name: string
      readonly static_configs: readonly { readonly targets: readonly string[] }[]
    }[]
  }
  const jobs = alerts.flatMap(({ expr }) => [...expr.matchAll(/job="(.*?)"/g)].map(([, job]) => job))
  assert.deepEqual([...new Set(jobs)], [prometheus.scrape_configs[0]!.job_name])
  assert.deepEqual(prometheus.scrape_configs[0]!.static_configs[0]!.targets, [`cradle:${metricsPort}`])
  const [rules] = prometheus.rule_files
  assert.ok(services['prometheus']!.volumes!.includes(`./deploy/alerts.yml:${rules}:ro`))
})

test('compose opens to this machine alone, and the metrics to nobody', () => {
  const published = Object.values(compose.services).flatMap(({ ports = [] }) => ports)
  assert.deepEqual(published, ['127.0.0.1:8080:8080', '127.0.0.1:3000:3000'])
})

test('Grafana finds its data source and its dashboard where they are', () => {
  const files = globSync('deploy/grafana/provisioning/*/*.yaml', { cwd: ROOT })
  assert.equal(files.length, 2)
  const [dashboards, datasources] = files.sort().map((file) => parse(read(file)) as unknown)
  const { providers } = dashboards as { readonly providers: readonly { readonly options: { readonly path: string } }[] }
  assert.ok(compose.services['grafana']!.volumes!.some((mount) => mount.includes(`:${providers[0]!.options.path}:`)))
  const { uid, url } = (
    datasources as { readonly datasources: readonly { readonly uid: string; readonly url: string }[] }
  ).datasources[0]!
  assert.ok(new URL(url).hostname in compose.services)
  for (const panel of dashboard.panels) assert.equal(panel.datasource.uid, uid, panel.title)
})

test('every alert says when it is one, what is the matter and what to do', () => {
  assert.equal(new Set(alerts.map(({ alert }) => alert)).size, alerts.length)
  for (const { alert, labels, annotations } of alerts) {
    assert.ok(labels['severity'] === 'page' || labels['severity'] === 'ticket', alert)
    assert.ok(annotations['summary'] && annotations['description'], alert)
  }
})

test('every expression of the dashboard and the alerts is PromQL', () => {
  const faults: string[] = []
  for (const expr of expressions)
    promQl.parse(expr).iterate({ enter: ({ type, from }) => void (type.isError && faults.push(`${expr} at ${from}`)) })
  assert.deepEqual(faults, [])
})

test('every metric, label and code that the dashboard and the alerts name is in /metrics', async () => {
  const answer = await exchange(measured.url, '/api/customer-orders', {
    method: 'POST',
    headers: { 'x-api-key': service.key, 'content-type': 'application/json' },
    body: JSON.stringify(EXAMPLE_ORDER),
  })
  assert.equal(answer.status, 200)
  const text = await measured.text()
  const named = expressions.flatMap((expr) => expr.match(/\b(?:cradle|nodejs|process)_\w+/g) ?? [])
  // One alert asks whether Prometheus gets an answer at all.
  assert.ok(named.length >= expressions.length - 1)
  for (const name of named) {
    assert.match(text, new RegExp(`^(?:${name}[ {]|# TYPE ${name} )`, 'm'), name)
  }
  for (const [, list] of expressions.join('\n').matchAll(/\bby \(([^)]*)\)/g)) {
    for (const label of list!.split(', ')) assert.match(text, new RegExp(`[{,]${label}="`), label)
  }
  for (const [, name, labels] of expressions.join('\n').matchAll(/\b(cradle_\w+)\{([^}]*)\}/g)) {
    for (const label of labels!.split(/, */)) assert.match(text, new RegExp(`^${name}\\{.*\\b${label}`, 'm'), label)
  }
})
