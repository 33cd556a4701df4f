// Refuses a server on which an acknowledged order could be lost.
import type { Pool } from 'pg'

export interface Durability {
  readonly fsync: string
  readonly fullPageWrites: string
  readonly synchronousCommit: string
  /** The replicas that a commit waits for, as the server has them named; empty for none. */
  readonly synchronousStandbys: string
  readonly versionNumber: number
  /** As the server calls itself, like `18.4`. */
  readonly version: string
}

/** The oldest release that the migrations are tested for, as PostgreSQL numbers it. */
const VERSION_NUMBER_MIN = 150_000

/**
 * Reads what is in force for a session of this pool, with everything that may set it: the server's files, the
 * database, the role, the connection string and PGOPTIONS. Throws a sentence when commits would not be durable.
 * A setting changed later, while we run, is not seen.
 */
export async function checkDurability(pool: Pool): Promise<Durability> {
  const found = await readDurability(pool)
  const faults = [versionProblem(found), ...settingProblems(found)].filter((fault) => fault !== undefined)
  if (faults.length > 0) throw new Error(faults.join(' '))
  return found
}

/** What is in force for a session of this pool, right or wrong. */
export async function readDurability(pool: Pool): Promise<Durability> {
  const {
    rows: [found],
  } = await pool.query<Durability>(`
    select current_setting('fsync') as "fsync",
           current_setting('full_page_writes') as "fullPageWrites",
           current_setting('synchronous_commit') as "synchronousCommit",
           current_setting('synchronous_standby_names') as "synchronousStandbys",
           current_setting('server_version_num')::int as "versionNumber",
           current_setting('server_version') as version`)
  return found!
}

export function versionProblem({ versionNumber }: Durability): string | undefined {
  if (versionNumber >= VERSION_NUMBER_MIN) return undefined
  return (
    `The database server is PostgreSQL ${Math.floor(versionNumber / 10_000)}; Cradle needs 15 or newer. ` +
    `Upgrade it, or point DATABASE_URL at a newer one.`
  )
}

export function settingProblems(found: Durability): readonly string[] {
  const { fsync, fullPageWrites, synchronousCommit, synchronousStandbys } = found
  return [
    fsync === 'off' && unsafe('fsync', 'a power cut could lose or corrupt every order'),
    fullPageWrites === 'off' && unsafe('full_page_writes', 'a power cut could corrupt pages that were being written'),
    // 'local' and the remote ones all wait for this server's own disk; the remote ones for a replica too, if one is
    // named.
    synchronousCommit === 'off' && unsafe('synchronous_commit', 'a crash could lose the last orders answered'),
    synchronousCommit === 'local' &&
      synchronousStandbys !== '' &&
      'The database server names replicas in synchronous_standby_names, and synchronous_commit=local waits for none ' +
        'of them: when one takes over, the last orders answered could be lost. Set synchronous_commit to on, ' +
        'remote_apply or remote_write, or name no replicas, and start Cradle again.',
  ].filter((fault) => fault !== false)
}

function unsafe(setting: string, consequence: string): string {
  return (
    `The database server runs with ${setting}=off: ${consequence}. Set ${setting}=on for the server, ` +
    `the database and the role of DATABASE_URL, and start Cradle again.`
  )
}
