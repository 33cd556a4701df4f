// Who may import whom, folder by folder, and the imports that do not follow these rules yet: ARCHITECTURE.md says why.

export interface Rule {
  /** Folders of src whose values may be used; `root` stands for the files beside them. */
  readonly values: readonly string[]
  readonly types: readonly string[]
  /** Packages, and `node:` for Node's own modules. */
  readonly packages: readonly string[]
}

/** What a folder may import beside itself. `root` wires all others, and nobody outside of `http` imports `http`. */
export const MAY_IMPORT: Readonly<Record<string, Rule>> = {
  engine: { values: [], types: [], packages: [] },
  contract: { values: ['engine', 'strict-json'], types: [], packages: ['node:', 'ajv', 'typebox'] },
  'strict-json': { values: ['engine'], types: [], packages: ['node:'] },
  concurrency: { values: ['engine'], types: [], packages: ['node:'] },
  spreadsheets: {
    values: ['engine', 'strict-json'],
    types: [],
    packages: ['node:', 'csv-parse', 'saxes', 'yauzl', 'yazl'],
  },
  'reference-data': {
    values: ['concurrency', 'engine'],
    types: [],
    packages: ['node:', '@tgwf/co2', 'csv-parse', 'i18n-iso-countries'],
  },
  postgres: {
    values: ['concurrency', 'engine'],
    types: ['contract', 'ledger'],
    packages: ['node:', 'pg', 'pg-copy-streams'],
  },
  documents: { values: ['engine', 'strict-json'], types: [], packages: ['node:', 'canonicalize', 'jose'] },
  receipts: { values: ['documents', 'engine', 'strict-json'], types: [], packages: ['node:'] },
  statements: {
    values: ['contract', 'documents', 'engine', 'ledger', 'receipts', 'strict-json'],
    types: [],
    packages: ['node:'],
  },
  'statement-pdf': { values: ['engine'], types: ['statements'], packages: ['node:', 'pdfkit', 'fontkit', 'bidi-js'] },
  ledger: {
    values: ['concurrency', 'contract', 'documents', 'engine', 'receipts', 'strict-json'],
    types: [],
    packages: ['node:'],
  },
  reporting: {
    values: ['concurrency', 'contract', 'engine', 'ledger', 'spreadsheets', 'strict-json'],
    types: ['postgres'],
    packages: ['node:'],
  },
  imports: {
    values: ['concurrency', 'contract', 'engine', 'ledger', 'spreadsheets', 'strict-json', 'root'],
    types: ['postgres'],
    packages: ['node:'],
  },
  mcp: { values: ['contract', 'engine'], types: [], packages: ['node:', '@modelcontextprotocol/server'] },
  http: {
    values: [
      'concurrency',
      'contract',
      'documents',
      'engine',
      'imports',
      'ledger',
      'mcp',
      'observability',
      'receipts',
      'reporting',
      'spreadsheets',
      'statement-pdf',
      'statements',
      'strict-json',
      'root',
    ],
    types: ['postgres'],
    packages: [
      'node:',
      'ajv',
      'fastify',
      '@fastify/accepts',
      '@fastify/busboy',
      '@fastify/swagger',
      '@fastify/swagger-ui',
      'typebox',
    ],
  },
  observability: {
    values: ['concurrency', 'contract'],
    types: ['postgres', 'root'],
    packages: ['node:', '@opentelemetry', 'fastify', 'pg', 'prom-client'],
  },
  cluster: { values: ['concurrency', 'observability'], types: ['contract', 'postgres', 'root'], packages: ['node:'] },
  workers: {
    values: [
      'concurrency',
      'contract',
      'engine',
      'imports',
      'ledger',
      'postgres',
      'reference-data',
      'reporting',
      'spreadsheets',
      'statement-pdf',
      'statements',
      'root',
    ],
    types: [],
    packages: ['node:', 'pg'],
  },
  demo: { values: ['contract', 'engine', 'imports', 'ledger'], types: ['postgres'], packages: ['node:'] },
  cli: {
    values: [
      'contract',
      'documents',
      'engine',
      'imports',
      'ledger',
      'postgres',
      'receipts',
      'reference-data',
      'spreadsheets',
      'statements',
      'strict-json',
      'root',
    ],
    types: [],
    packages: ['node:', '@modelcontextprotocol/server', 'commander'],
  },
  root: {
    values: [
      'cluster',
      'concurrency',
      'contract',
      'demo',
      'engine',
      'http',
      'imports',
      'ledger',
      'observability',
      'postgres',
      'receipts',
      'reference-data',
      'reporting',
      'spreadsheets',
      'statement-pdf',
      'statements',
      'strict-json',
      'workers',
    ],
    types: [],
    packages: ['node:', 'fastify', 'pg', 'pino'],
  },
}

/** Imports that break these rules today. The list only gets shorter: one that is gone has to leave it. */
export const NOT_YET: readonly string[] = [
  'src/cli/demo.ts → http',
  'src/cli/import.ts → http',
  'src/cli/serve.ts → http',
  'src/cluster/messages.ts → http',
  'src/imports/receive-file.ts → http',
  'src/ledger/verification/rollups.ts → postgres',
  'src/ledger/verification/rollups.ts → reporting',
  'src/observability/logging.ts → http',
  'src/observability/request-metrics.ts → http',
  'src/reference-data/release-cache.ts → pg',
  'src/reference-data/release-cache.ts → postgres',
  'src/reporting/run-report.ts → http',
  'src/workers/report-worker.ts → http',
]

/** Packages that the console is made with; what it loads on need and what at once is its own business. */
export const CONSOLE_MAY_IMPORT: readonly string[] = [
  '@base-ui/react/csp-provider',
  '@base-ui/react/dialog',
  '@base-ui/react/toast',
  '@base-ui/react/tooltip',
  '@tanstack/react-query',
  '@formatjs/icu-messageformat-parser/no-parser.js',
  '@visx/pattern',
  'd3-array',
  'd3-time',
  'csv-parse/browser/esm/sync',
  'openapi-fetch',
  'react',
  'react-dom/client',
  'wouter',
]
