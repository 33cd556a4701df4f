// Rejects a database server that could lose an acknowledged order.
import type { Pool } from 'pg'

export interface Durability {
  readonly fsync: string
  readonly fullPageWrites: string
  readonly synchronousCommit: string
  /** `synchronous_standby_names`: the replicas that a commit waits for; empty for none. */
  readonly synchronousStandbys: string
  readonly versionNumber: number
  /** As the server reports it, such as `18.4`. */
  readonly version: string
}

/** The oldest release that the migrations are tested with, in the format of `server_version_num`. */
const VERSION_NUMBER_MIN = 150_000

/**
 * Reads the settings that apply to a session of this pool, wherever they are set: the server's files, the database, the
 * role, the connection string or PGOPTIONS. A setting that is changed later, while the service runs, is not noticed.
 * @throws Error with a sentence if commits would not be durable
 */
export async function checkDurability(pool: Pool): Promise<Durability> {
  const settings = await readDurability(pool)
  const faults = [versionProblem(settings), ...settingProblems(settings)].filter((fault) => fault !== undefined)
  if (faults.length > 0) throw new Error(faults.join(' '))
  return settings
}

/** The settings that apply to a session of this pool, whether or not they are durable. */
export async function readDurability(pool: Pool): Promise<Durability> {
  const {
    rows: [settings],
  } = await pool.query<Durability>(`
    select current_setting('fsync') as "fsync",
           current_setting('full_page_writes') as "fullPageWrites",
           current_setting('synchronous_commit') as "synchronousCommit",
           current_setting('synchronous_standby_names') as "synchronousStandbys",
           current_setting('server_version_num')::int as "versionNumber",
           current_setting('server_version') as version`)
  return settings!
}

export function versionProblem({ versionNumber }: Durability): string | undefined {
  if (versionNumber >= VERSION_NUMBER_MIN) return undefined
  return (
    `The database server is PostgreSQL ${Math.floor(versionNumber / 10_000)}; Cradle needs 15 or newer. ` +
    `Upgrade it, or point DATABASE_URL at a newer one.`
  )
}

export function settingProblems(settings: Durability): readonly string[] {
  const { fsync, fullPageWrites, synchronousCommit, synchronousStandbys } = settings
  return [
    fsync === 'off' && unsafe('fsync', 'a power cut could lose or corrupt every order'),
    fullPageWrites === 'off' && unsafe('full_page_writes', 'a power cut could corrupt pages that were being written'),
    // 'local' and the remote values all wait for this server's own disk. The remote values also wait for a replica, if
    // one is named.
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
