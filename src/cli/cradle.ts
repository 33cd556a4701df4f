// The command line: `serve` runs the service, `keys` and `accounts` say who may use it, `verify` proves its numbers.
import { Command } from 'commander'
import { readConfig } from '../config.ts'
import { VERSION } from '../main.ts'
import { listAccountsCommand, setAccountCommand } from './accounts.ts'
import { createKeyCommand, listKeysCommand, revokeKeyCommand } from './keys.ts'
import { serve } from './serve.ts'
import { verifyCommand } from './verify.ts'

const program = new Command('cradle')
  .description('Estimates the greenhouse-gas emissions of device-rental orders and keeps a ledger for every device.')
  .version(VERSION)
  .addHelpText(
    'after',
    `
Environment:
  CRADLE_DATA_DIR  where the program keeps its own PostgreSQL (default: .cradle in the project)
  DATABASE_URL     a PostgreSQL server to use instead
  CRADLE_HOST      address to listen on (default: 127.0.0.1)
  CRADLE_PORT      port to listen on (default: 8080)`,
  )

program
  .command('serve')
  .description('Run the service until it is stopped.')
  .action(() => serve(readConfig(process.env)))

const keys = program.command('keys').description('API keys of the accounts.')
keys
  .command('create')
  .description('Make a key and print it, alone, on standard output: it is shown this once.')
  .requiredOption('--account <name>', 'account that the key is for; made if it is new')
  .option('--scope <scope...>', 'what the key may do: orders:write, orders:read, catalogue:read, admin')
  .option('--expires <time>', 'day or time at which the key stops working, like 2027-12-31')
  .option('--json', 'print a JSON object instead')
  .addHelpText(
    'after',
    '\nExample:\n  cradle keys create --account acme --scope orders:write orders:read --expires 2027-12-31',
  )
  .action(createKeyCommand)
keys
  .command('list')
  .description('List all keys, without the keys themselves.')
  .option('--json', 'print a JSON array instead')
  .action(listKeysCommand)
keys
  .command('revoke')
  .description('Revoke a key; it stops working within a second.')
  .argument('<key-id>', 'number of the key, from `cradle keys list`')
  .action(revokeKeyCommand)

const accounts = program.command('accounts').description('Accounts, and how their devices are charged.')
accounts
  .command('list')
  .description('List all accounts.')
  .option('--json', 'print a JSON array instead')
  .action(listAccountsCommand)
accounts
  .command('set')
  .description('Change an account; a device that was rented before stays as it is.')
  .argument('<name>', 'name of the account')
  .requiredOption(
    '--amortisation <method>',
    'capped: no device gives more than it embodies; uncapped: every month counts',
  )
  .action(setAccountCommand)

program
  .command('verify')
  .description('Compute a receipt again, without a database: ends with 0 if it is equal, 1 if not, 2 if it is none.')
  .argument('[file]', 'a receipt, or - for standard input')
  .option('--all', 'compute every order and device of the database again instead')
  .action(verifyCommand)

try {
  await program.parseAsync()
} catch (error) {
  process.stderr.write(`cradle: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
