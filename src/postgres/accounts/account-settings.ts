// An account as its admins see it: its name, and what holds for the devices that it rents from now on.
import type { Pool } from 'pg'
import type { Amortisation } from './accounts.ts'

export interface AccountSettings {
  readonly name: string
  readonly amortisation: Amortisation
  readonly mappingsVersion: number
  readonly createdAt: Date
  /** True for one whose orders are made up. */
  readonly isDemo: boolean
  /** True where a demo fleet was loaded beside it. */
  readonly hasDemoFleet: boolean
}

export interface AccountsSettings {
  readonly find: (accountId: number) => Promise<AccountSettings>
  /** Devices that were rented before stay as they are. */
  readonly setAmortisation: (accountId: number, amortisation: Amortisation) => Promise<AccountSettings>
}

const FIELDS = `name, amortisation, mappings_version as "mappingsVersion", created_at as "createdAt",
  demo_of is not null as "isDemo",
  exists (select from accounts demo where demo.demo_of = accounts.account_id) as "hasDemoFleet"`

export const createAccountsSettings = (pool: Pool): AccountsSettings => ({
  find: async (accountId) => {
    const text = `select ${FIELDS} from accounts where account_id = $1`
    return (await pool.query<AccountSettings>(text, [accountId])).rows[0]!
  },
  setAmortisation: async (accountId, amortisation) => {
    const text = `update accounts set amortisation = $2 where account_id = $1 returning ${FIELDS}`
    return (await pool.query<AccountSettings>(text, [accountId, amortisation])).rows[0]!
  },
})
