// Who may import whom, folder by folder: ARCHITECTURE.md says why.

export interface Rule {
  /** Folders of src whose values may be used; `root` stands for the files beside them. */
  readonly values: readonly string[]
  readonly types: readonly string[]
  /** Packages, and `node:` for Node's own modules. */
  readonly packages: readonly string[]
}

/** What a folder may import beside itself. */
export const MAY_IMPORT: Readonly<Record<string, Rule>> = {
  engine: { values: [], types: [], packages: [] },
  datasets: { values: ['engine'], types: [], packages: ['node:', '@tgwf/co2', 'csv-parse', 'i18n-iso-countries'] },
  tables: { values: ['engine'], types: [], packages: ['node:', 'csv-parse', 'saxes', 'yauzl'] },
  exports: { values: ['engine', 'tables'], types: [], packages: ['node:', 'yazl'] },
  postgres: { values: [], types: ['engine'], packages: ['node:', 'pg', 'pg-copy-streams'] },
  receipts: { values: ['engine'], types: [], packages: ['node:'] },
  'statement-pdf': { values: ['engine'], types: ['statement'], packages: ['node:', 'pdfkit', 'fontkit', 'bidi-js'] },
  statement: { values: ['engine', 'receipts'], types: [], packages: ['node:'] },
  http: {
    values: ['engine', 'exports', 'receipts', 'reports', 'statement', 'statement-pdf', 'tables'],
    types: ['postgres'],
    packages: ['node:', 'ajv', 'fastify', '@fastify/accepts', '@fastify/swagger', '@fastify/swagger-ui', 'typebox'],
  },
  metrics: { values: [], types: ['http', 'postgres'], packages: ['node:', 'prom-client', 'pg'] },
  tracing: { values: [], types: ['http', 'postgres', 'root'], packages: ['node:', '@opentelemetry'] },
  imports: { values: ['engine', 'http', 'tables', 'root'], types: ['postgres'], packages: ['node:'] },
  demo: { values: ['engine', 'http', 'imports'], types: ['postgres'], packages: ['node:'] },
  reports: { values: ['engine'], types: ['postgres'], packages: ['node:'] },
  aside: { values: [], types: [], packages: ['node:'] },
  cluster: { values: ['metrics'], types: ['http', 'postgres', 'root'], packages: ['node:'] },
  verify: { values: ['engine', 'http', 'reports'], types: ['postgres'], packages: ['node:'] },
  cli: {
    values: ['engine', 'datasets', 'postgres', 'receipts', 'statement', 'http', 'imports', 'tables', 'verify', 'root'],
    types: [],
    packages: ['node:', 'commander'],
  },
  'main.ts': {
    values: ['datasets', 'postgres', 'http', 'metrics', 'tracing', 'root'],
    types: ['engine'],
    packages: ['node:', 'pino', 'fastify'],
  },
  'create-service.ts': {
    values: ['engine', 'postgres', 'http', 'root'],
    types: ['datasets', 'imports', 'metrics', 'tracing'],
    // Types of what it wires.
    packages: ['fastify', 'pg'],
  },
  'open-importing.ts': {
    values: ['http', 'imports', 'postgres', 'root'],
    types: ['engine'],
    packages: ['node:', 'pg'],
  },
  'open-import-workers.ts': {
    values: ['aside', 'http', 'imports', 'postgres', 'root'],
    types: ['tables'],
    packages: ['node:', 'pg'],
  },
  'import-worker.ts': { values: ['aside', 'imports', 'postgres', 'root'], types: ['engine'], packages: [] },
  'detection-worker.ts': { values: ['aside', 'imports', 'postgres'], types: ['tables'], packages: [] },
  'open-demo-fleet.ts': { values: ['demo', 'http', 'postgres', 'root'], types: [], packages: ['pg'] },
  'open-reporting.ts': {
    values: ['aside', 'http', 'postgres', 'reports', 'root'],
    types: ['engine'],
    packages: ['node:', 'pg'],
  },
  'worker-share.ts': { values: ['http', 'root'], types: ['cluster', 'imports', 'postgres'], packages: [] },
  'open-beside.ts': { values: ['root'], types: ['postgres'], packages: ['pg'] },
  'worker-process.ts': {
    values: ['aside', 'cluster', 'http', 'metrics', 'postgres', 'root'],
    types: ['imports', 'tables'],
    packages: ['node:'],
  },
  'open-workers.ts': {
    values: ['cluster', 'datasets', 'http', 'metrics', 'postgres', 'root'],
    types: ['imports'],
    packages: ['node:'],
  },
  'open-drawing.ts': { values: ['aside', 'http', 'postgres', 'root'], types: [], packages: ['node:'] },
  'draw-process.ts': { values: ['aside', 'statement-pdf'], types: [], packages: ['node:'] },
  'report-process.ts': {
    values: ['aside', 'http', 'postgres', 'reports', 'root'],
    types: ['engine'],
    packages: ['pg'],
  },
  'remember-books.ts': { values: ['datasets', 'postgres'], types: ['engine'], packages: ['pg'] },
  'open-console.ts': { values: ['root'], types: ['http'], packages: ['node:'] },
  'config.ts': { values: [], types: [], packages: ['node:'] },
  'version.ts': { values: [], types: [], packages: ['node:'] },
}

/** Packages that the console is made with; what it loads on need and what at once is its own business. */
export const CONSOLE_MAY_IMPORT: readonly string[] = [
  '@base-ui/react/csp-provider',
  '@base-ui/react/dialog',
  '@base-ui/react/toast',
  '@base-ui/react/tooltip',
  '@tanstack/react-query',
  '@visx/pattern',
  '@visx/scale',
  'csv-parse/browser/esm/sync',
  'openapi-fetch',
  'react',
  'react-dom/client',
  'wouter',
]
