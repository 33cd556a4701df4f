// Sessions of the console: made with a key, known by the hash of what the cookie holds, and over when the key is.
import { createHash, randomBytes } from 'node:crypto'
import type { Pool } from 'pg'
import { CALLER_COLUMNS, callerOfRow, type Caller, type CallerRow, type Scope } from './accounts.ts'

export interface ConsoleSession {
  readonly account: string
  /** The key's beginning and end, to tell it from others. */
  readonly keyHint: string
  readonly scopes: readonly Scope[]
  readonly expiresAt: Date
}

export interface ConsoleSessions {
  /** Opens a session and returns what its cookie holds: the only time that it can be read. */
  readonly open: (caller: Caller) => Promise<string>
  /** Who a session stands for; null where it is over or its key is. */
  readonly findCaller: (token: string) => Promise<Caller | null>
  readonly describe: (token: string) => Promise<ConsoleSession | null>
  readonly close: (token: string) => Promise<void>
}

const TOKEN_BYTES = 32
/** Beyond these the oldest of the key ends: nobody has that many browsers, and rows must not pile up. */
const SESSIONS_PER_KEY_MAX = 50

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest()

/** A session that counts, with its key and account. */
const LIVE = `
  console_sessions s join api_keys k using (account_id, key_id) join accounts using (account_id)
  where session_hash = $1 and s.expires_at > $2 and revoked_at is null and (k.expires_at is null or k.expires_at > $2)`

/** @param sessionMs how long a session lasts, unless its key ends earlier */
export function createConsoleSessions(pool: Pool, sessionMs: number, now: () => Date): ConsoleSessions {
  return {
    open: (caller) => open(pool, caller, new Date(now().getTime() + sessionMs)),
    findCaller: async (token) => {
      const { rows } = await pool.query<CallerRow>({
        name: 'find-session-caller',
        text: `select ${CALLER_COLUMNS}, least(s.expires_at, k.expires_at) as expires_at from ${LIVE}`,
        values: [hashOf(token), now()],
      })
      return rows[0] ? callerOfRow(rows[0]) : null
    },
    describe: async (token) => {
      const { rows } = await pool.query<ConsoleSession>(
        `select name as account, hint as "keyHint", scopes, least(s.expires_at, k.expires_at) as "expiresAt"
        from ${LIVE}`,
        [hashOf(token), now()],
      )
      return rows[0] ?? null
    },
    close: async (token) => {
      await pool.query('delete from console_sessions where session_hash = $1', [hashOf(token)])
    },
  }
}

/** One statement: the new session in, those that are over and those that are too many out. */
async function open(pool: Pool, { accountId, keyId }: Caller, expiresAt: Date): Promise<string> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  await pool.query(
    `with over as (
      delete from console_sessions where account_id = $1 and session_hash in (
        select session_hash from (
          select session_hash, expires_at, key_id,
            row_number() over (partition by key_id order by created_at desc) as age
          from console_sessions where account_id = $1
        ) own where expires_at <= now() or key_id = $2 and age >= $5
      )
    )
    insert into console_sessions (account_id, key_id, session_hash, expires_at) values ($1, $2, $3, $4)`,
    [accountId, keyId, hashOf(token), expiresAt, SESSIONS_PER_KEY_MAX],
  )
  return token
}
