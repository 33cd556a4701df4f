// Test files that have a process to themselves, and why; the others run together (test/together.ts).

const ENDS_PROGRAMS = 'starts and ends programs for minutes, beside which others can run'
const OWN_CHILDREN = 'looks for child processes of its own process'

/** Those that take longest come first, so that none of them is left at the end. */
export const ALONE: Readonly<Record<string, string>> = {
  'test/verify-all.test.ts': ENDS_PROGRAMS,
  'test/processes.test.ts': ENDS_PROGRAMS,
  'test/workers.test.ts': ENDS_PROGRAMS,
  'test/replica.test.ts': ENDS_PROGRAMS,
  'test/upgrade.test.ts': ENDS_PROGRAMS,
  'test/start.test.ts': ENDS_PROGRAMS,
  'test/backup.test.ts': ENDS_PROGRAMS,
  'test/client/python.test.ts': ENDS_PROGRAMS,
  'test/client/package.test.ts': ENDS_PROGRAMS,
  'test/mcp-conformance.test.ts': ENDS_PROGRAMS,
  'test/openapi-clients.test.ts': ENDS_PROGRAMS,
  'test/cli.test.ts': ENDS_PROGRAMS,
  'test/verify-command.test.ts': ENDS_PROGRAMS,
  'test/data-command.test.ts': ENDS_PROGRAMS,
  'test/pinned-packages.test.ts': ENDS_PROGRAMS,
  'test/partitioned.test.ts': 'has every database of its process partitioned',
  'test/tracing.test.ts': 'registers tracing for its process',
  'test/import-worker.test.ts': OWN_CHILDREN,
  'test/report-process.test.ts': OWN_CHILDREN,
  'test/statement-pdf.test.ts': OWN_CHILDREN,
  'test/worker-pool.test.ts': OWN_CHILDREN,
  'test/hostile-requests.test.ts': 'measures the memory of its process',
}

/** The short forms of campaigns, which `npm run test:faults` runs and `npm test` does not; the longest come first. */
export const FAULTS: readonly string[] = [
  'test/fault-injection/killed.test.ts',
  'test/fuzz.test.ts',
  'test/import-kills.test.ts',
  'test/fault-injection/database-faults.test.ts',
  'test/restatement-kills.test.ts',
  'test/fault-injection/network-faults.test.ts',
]
