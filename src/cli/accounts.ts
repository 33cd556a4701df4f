// `cradle accounts`: lists accounts, and says how the devices that they rent from now on are charged.
import { AMORTISATIONS, listAccounts, setAmortisation } from '../postgres/accounts.ts'
import { print, withDatabase } from './with-database.ts'

export async function listAccountsCommand(options: { readonly json?: boolean }): Promise<void> {
  const accounts = await withDatabase(({ pool }) => listAccounts(pool))
  if (options.json) return print(JSON.stringify(accounts))
  for (const { accountId, name, amortisation, createdAt } of accounts) {
    print([accountId, name, amortisation, `created ${createdAt.toISOString()}`].join('\t'))
  }
}

export async function setAccountCommand(name: string, options: { readonly amortisation: string }): Promise<void> {
  const amortisation = AMORTISATIONS.find((known) => known === options.amortisation)
  if (!amortisation)
    throw new Error(`--amortisation takes ${AMORTISATIONS.join(' or ')}, not "${options.amortisation}"`)
  const isKnown = await withDatabase(({ pool }) => setAmortisation(pool, name, amortisation))
  if (!isKnown) throw new Error(`There is no account "${name}"; see cradle accounts list`)
  process.stderr.write(`Devices that "${name}" rents for the first time from now on are ${amortisation}.\n`)
}
