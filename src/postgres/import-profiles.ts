// The profiles of an account: kept settings for files with a certain header.
import type { Pool } from 'pg'
import { inTransaction } from './transaction.ts'
import { lockAccount } from './product-mappings.ts'

export interface NewImportProfile {
  readonly name: string
  /** JSON: the header of the file, an array of texts. */
  readonly header: string
  readonly headerSha256: Buffer
  /** JSON: the settings as they are sent. */
  readonly settings: string
}

export interface StoredImportProfile extends NewImportProfile {
  readonly savedAt: Date
}

export interface ImportProfiles {
  /** Replaces the profile of this name; null if the account would have more than `max`. */
  readonly put: (accountId: number, profile: NewImportProfile, max: number) => Promise<StoredImportProfile | null>
  readonly find: (accountId: number, name: string) => Promise<StoredImportProfile | null>
  /** Removes a profile and returns it; null if there was none. */
  readonly remove: (accountId: number, name: string) => Promise<StoredImportProfile | null>
  /** All profiles by name. */
  readonly list: (accountId: number) => Promise<readonly StoredImportProfile[]>
  /** The names of the profiles for a header, the latest first. */
  readonly namesFor: (accountId: number, headerSha256: Buffer) => Promise<readonly string[]>
}

const FIELDS = 'name, header, header_sha256 as "headerSha256", settings, saved_at as "savedAt"'

export const createImportProfiles = (pool: Pool): ImportProfiles => ({
  put: (accountId, profile, max) =>
    inTransaction(pool, async (connection) => {
      // The lock also keeps the account from being deleted meanwhile.
      await lockAccount(connection, accountId)
      const { rows } = await connection.query<StoredImportProfile>({
        name: 'put-import-profile',
        text: `insert into import_profiles (account_id, name, header, header_sha256, settings)
          select $1::integer, $2::text, $3::text, $4::bytea, $5::text
          where (select count(*) from import_profiles where account_id = $1 and name <> $2) < $6::integer
          on conflict (account_id, name) do update set header = excluded.header,
            header_sha256 = excluded.header_sha256, settings = excluded.settings, saved_at = now()
          returning ${FIELDS}`,
        values: [accountId, profile.name, profile.header, profile.headerSha256, profile.settings, max],
      })
      return rows[0] ?? null
    }),
  find: async (accountId, name) => {
    const { rows } = await pool.query<StoredImportProfile>({
      name: 'find-import-profile',
      text: `select ${FIELDS} from import_profiles where account_id = $1 and name = $2`,
      values: [accountId, name],
    })
    return rows[0] ?? null
  },
  remove: async (accountId, name) => {
    const { rows } = await pool.query<StoredImportProfile>({
      name: 'delete-import-profile',
      text: `delete from import_profiles where account_id = $1 and name = $2 returning ${FIELDS}`,
      values: [accountId, name],
    })
    return rows[0] ?? null
  },
  list: async (accountId) => {
    const { rows } = await pool.query<StoredImportProfile>({
      name: 'list-import-profiles',
      text: `select ${FIELDS} from import_profiles where account_id = $1 order by name`,
      values: [accountId],
    })
    return rows
  },
  namesFor: async (accountId, headerSha256) => {
    const { rows } = await pool.query<{ readonly name: string }>({
      name: 'find-import-profiles-by-header',
      text: `select name from import_profiles where account_id = $1 and header_sha256 = $2
        order by saved_at desc, name limit 3`,
      values: [accountId, headerSha256],
    })
    return rows.map(({ name }) => name)
  },
})
