// The command line: `serve` runs the service; the other commands manage access, verify the figures and maintain the
// database.
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { Command } from 'commander'
import { readConfig } from '../config.ts'
import { VERSION } from '../version.ts'

// Caches compiled code across starts. If the directory is not writable, nothing is cached.
enableCompileCache(join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'cradle'))

type Run<Words extends unknown[]> = (...words: Words) => Promise<void>

/** Loads the module of a command only when it is run: loading all modules would take longer than most commands run. */
const command =
  <Words extends unknown[]>(load: () => Promise<Run<Words>>): Run<Words> =>
  async (...words) =>
    (await load())(...words)

const program = new Command('cradle')
  .description('Estimates the greenhouse-gas emissions of device-rental orders and keeps a ledger for every device.')
  .version(VERSION)
  .addHelpText(
    'after',
    `
Environment:
  CRADLE_DATA_DIR  where the program keeps its own PostgreSQL (default: .cradle in the project)
  DATABASE_URL     a PostgreSQL server to use instead
  DATABASE_PASSWORD_FILE          a file with its password, in place of one in DATABASE_URL
  DATABASE_REPLICA_URL            a replica of it, which lists are read from (default: none)
  CRADLE_HOST      address to listen on (default: 127.0.0.1)
  CRADLE_PORT      port to listen on (default: 8080)
  CRADLE_METRICS_PORT             port to answer Prometheus on, at /metrics (default: none)
  CRADLE_METRICS_BY_ACCOUNT       on: count requests by account, too (default: off)
  CRADLE_LOG_REQUESTS             on: log every request, not only failed ones (default: off)
  CRADLE_CORS_ORIGINS             origins whose web pages may call the API (default: none)
  CRADLE_PUBLIC_URL               where clients reach the service; serves PACT, too (default: none)
  CRADLE_WEBHOOK_PORTS            ports that webhooks may be sent to (default: 443)
  CRADLE_WEBHOOKS_TO_LOOPBACK     on: webhooks may be sent to this machine, for tests (default: off)
  CRADLE_KEY_REQUESTS_PER_SECOND  requests that a key may send in a second; 0: no limit (default: 20000)
  CRADLE_WORKERS                  processes that answer clients, or auto: one for each core (default: 1)`,
  )

program
  .command('serve')
  .description('Run the service until it is stopped.')
  .option('--workers <number>', 'processes that answer clients at one address, or auto: one for each core (default: 1)')
  .action(
    command(async () => {
      const { serve } = await import('./serve.ts')
      return ({ workers }: { readonly workers?: string }) =>
        serve(readConfig({ ...process.env, ...(workers !== undefined && { CRADLE_WORKERS: workers }) }))
    }),
  )

const keys = program.command('keys').description('API keys of the accounts.')
keys
  .command('create')
  .description('Make a key and print it, alone, on standard output: it is shown this once.')
  .requiredOption('--account <name>', 'account that the key is for; made if it is new')
  .option('--label <text>', 'what the key is for')
  .option('--scope <scope...>', 'what the key may do: orders:write, orders:read, catalogue:read, admin')
  .option('--expires <time>', 'day or time at which the key stops working, like 2027-12-31')
  .option('--json', 'print a JSON object instead')
  .addHelpText(
    'after',
    '\nExample:\n  cradle keys create --account acme --scope orders:write orders:read --expires 2027-12-31',
  )
  .action(command(async () => (await import('./accounts.ts')).createKeyCommand))
keys
  .command('list')
  .description('List all keys, without the keys themselves.')
  .option('--json', 'print a JSON array instead')
  .action(command(async () => (await import('./accounts.ts')).listKeysCommand))
keys
  .command('revoke')
  .description('Revoke a key; it stops working within a second.')
  .argument('<key-id>', 'number of the key, from `cradle keys list`')
  .option('--even-last-admin', 'though no key of the account with the scope admin is left then')
  .action(command(async () => (await import('./accounts.ts')).revokeKeyCommand))

const accounts = program.command('accounts').description('Accounts, and how their devices are charged.')
accounts
  .command('list')
  .description('List all accounts.')
  .option('--json', 'print a JSON array instead')
  .action(command(async () => (await import('./accounts.ts')).listAccountsCommand))
accounts
  .command('set')
  .description('Change an account; a device that was rented before stays as it is.')
  .argument('<name>', 'name of the account')
  .requiredOption(
    '--amortisation <method>',
    'capped: no device gives more than it embodies; uncapped: every month counts',
  )
  .action(command(async () => (await import('./accounts.ts')).setAccountCommand))
accounts
  .command('copy')
  .description('Copy an account with all its data and settings to a new one, like a sandbox; it gets keys of its own.')
  .argument('<name>', 'name of the account')
  .requiredOption('--as <name>', 'name of the new account')
  .addHelpText('after', '\nExample:\n  cradle accounts copy acme --as acme-sandbox')
  .action(command(async () => (await import('./accounts.ts')).copyAccountCommand))
accounts
  .command('delete')
  .alias('remove')
  .description('Delete an account with its keys, orders, imports and everything else. There is no way back.')
  .argument('<name>', 'name of the account; its demo fleet goes with it')
  .requiredOption('--confirm <name>', 'the same name again')
  .action(command(async () => (await import('./accounts.ts')).deleteAccountCommand))

program
  .command('verify')
  .description('Compute a receipt again, without a database: ends with 0 if equal, 1 if not, 2 if that cannot be told.')
  .argument('[file]', 'a receipt, or - for standard input')
  .option('--key <fingerprint>', 'key that has to have signed it, as the rental company told it to you')
  .option('--all', 'compute every order and device of the database again instead')
  .action(command(async () => (await import('./verify.ts')).verifyCommand))

program
  .command('verify-statement')
  .description(
    'Compute the yearly statement of a customer again, without a database, and check who signed it: ends with 0 if ' +
      'all is right, 1 if not, 2 if it is none.',
  )
  .argument('<file>', 'a statement as JSON, or - for standard input')
  .option('--key <fingerprint>', 'key that has to have signed it, as the rental company told it to you')
  .option('--receipt <file...>', 'receipts of orders that have to be in it')
  .action(command(async () => (await import('./verify-statement.ts')).verifyStatementCommand))

program
  .command('statement-key')
  .description('Print the fingerprint of the key that the statements of an account are signed with.')
  .requiredOption('--account <name>', 'account that signs; its key is made if it has none yet')
  .option('--json', 'print a JSON object with the public key instead')
  .action(command(async () => (await import('./accounts.ts')).statementKeyCommand))

program
  .command('doctor')
  .description('Say what is right and wrong with this installation: ends with 1 if anything is wrong.')
  .option('--json', 'print a JSON array instead')
  .action(command(async () => (await import('./doctor.ts')).doctorCommand))
program
  .command('migrate')
  .description('Bring the database to the schema of this release, as the start of the service does.')
  .option('--check', 'change nothing: end with 0 if nothing is missing, else with 1 and what is')
  .action(command(async () => (await import('./database.ts')).migrateCommand))

program
  .command('mcp')
  .description(
    'Serve the tools of a running service to an agent over stdio (Model Context Protocol). CRADLE_API_KEY is the key ' +
      'to use, CRADLE_URL the address of the service (default: http://127.0.0.1:8080).',
  )
  .action(command(async () => (await import('./mcp.ts')).mcpCommand))

program
  .command('import')
  .description(
    'Take in the orders of a CSV, XLSX or JSON lines file: ends with 0 if all are stored, 5 if any row was refused, ' +
      '2 if what was asked makes no sense, 3 if the file or the account is not there.',
  )
  .argument('[file]', 'file with one row an item, or one row an order')
  .option('--account <name>', 'account whose orders they are')
  .option('--dry-run', 'compute everything, store nothing')
  .option('--errors <file>', 'where to write the rejected rows, to be corrected and imported again')
  .option('--template <layout>', 'print a file to begin with instead: items, orders or events')
  .option('--profile <name>', 'the import profile of the account whose settings are used')
  .option(
    '--set <setting=value...>',
    'how the file is read where it does not tell, like decimal=comma dates=DD/MM/YYYY',
  )
  .action(command(async () => (await import('./import.ts')).importCommand))

const data = program.command('data').description('Releases of the figures that orders are estimated with.')
data
  .command('list')
  .description('List the releases of this database, and which one is the newest.')
  .option('--json', 'print a JSON array instead')
  .action(command(async () => (await import('./data.ts')).listReleasesCommand))
data
  .command('new')
  .description('Write the files of a release to a new directory, under the next number, to be edited.')
  .argument('<directory>', 'directory to make')
  .option('--from <release>', 'release to copy: its name or number, a directory, shipped, or newest', 'newest')
  .option('--id <number>', 'number of the new release, like 2026.12.1 (default: the next one)')
  .action(command(async () => (await import('./data.ts')).newReleaseCommand))
data
  .command('check')
  .description('Check a release by all rules and compare it with the newest one: ends with 1 if it breaks any.')
  .argument('<directory>', 'directory or archive (.tar.gz) with its files')
  .action(command(async () => (await import('./data.ts')).checkReleaseCommand))
data
  .command('diff')
  .description('List the figures that differ from one release to another.')
  .argument('<from>', 'a name or number of a release, a directory or archive, shipped, or newest')
  .argument('<to>', 'the other one')
  .option('--kind <kind>', 'only figures of this kind, like grid_factor')
  .option('--json', 'print a JSON object instead')
  .action(command(async () => (await import('./data.ts')).diffReleasesCommand))
data
  .command('install')
  .description('Check a release and make it available to the accounts, as a whole or not at all.')
  .argument('<directory>', 'directory or archive (.tar.gz) with its files')
  .action(command(async () => (await import('./data.ts')).installReleaseCommand))

const demo = program
  .command('demo')
  .description('A fleet that is made up, in an account of its own, to look around in.')
demo
  .command('load')
  .description('Load it, and print a key that looks at it for 12 hours; once it is there, print another key.')
  .requiredOption('--account <name>', 'account beside which it is to stand')
  .option('--json', 'print a JSON object instead')
  .action(command(async () => (await import('./demo.ts')).loadDemoCommand))
demo
  .command('remove')
  .description('Remove it with all that is in it, and nothing else.')
  .requiredOption('--account <name>', 'account beside which it stands')
  .action(command(async () => (await import('./demo.ts')).removeDemoCommand))

program
  .command('reports')
  .description('What is kept for reports, beside the entries that it follows from.')
  .command('rebuild')
  .description('Forget it, so that it is made again from the entries.')
  .option('--account <name>', 'of this account alone')
  .action(command(async () => (await import('./database.ts')).rebuildReportsCommand))

program
  .command('backup')
  .description('Write all that is stored, of one moment, to a new file, while the service goes on.')
  .argument('<file>', 'file to write; it holds every order, and the private keys that sign statements')
  .action(command(async () => (await import('./database.ts')).backupCommand))
program
  .command('restore')
  .description('Bring a backup back into an empty database and compare it with its manifest: all or nothing.')
  .argument('<file>', 'file that `cradle backup` wrote')
  .action(command(async () => (await import('./database.ts')).restoreCommand))

try {
  await program.parseAsync()
} catch (error) {
  process.stderr.write(`cradle: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
