// Console sessions: opened with a key, found by the hash of their cookie token, and ended when the key ends.
import { randomBytes } from 'node:crypto'
import type { Pool } from 'pg'
import { CALLER_COLUMNS, callerOfRow, hashOf, type Caller, type CallerRow, type Scope } from './accounts.ts'

export interface ConsoleSession {
  readonly account: string
  /** First and last characters of the key, to recognise it. */
  readonly keyHint: string
  readonly scopes: readonly Scope[]
  readonly expiresAt: Date
  /** True if the account's orders are invented demo data. */
  readonly isDemo: boolean
  /** For a session that shows a demo fleet: the account that it was opened from. Null for any other session. */
  readonly ownAccount: string | null
}

export interface ConsoleSessions {
  /**
   * Opens a session and returns its cookie token, which cannot be read again. The browser's former session ends. If the
   * caller's account is the demo account of the former session's account, the new session can go back to that account.
   */
  readonly open: (caller: Caller, former: string | null) => Promise<string>
  /**
   * Ends a session that shows a demo fleet and opens one with the key that it came from. Null if either is no longer
   * valid.
   */
  readonly goBack: (token: string) => Promise<string | null>
  /** The caller of a session; null if the session or its key is no longer valid. */
  readonly findCaller: (token: string) => Promise<Caller | null>
  readonly describe: (token: string) => Promise<ConsoleSession | null>
  readonly close: (token: string) => Promise<void>
}

const TOKEN_BYTES = 32
/**
 * Above this number the oldest session of the key ends. No user has that many browsers, and rows must not accumulate.
 */
const SESSIONS_PER_KEY_MAX = 50

/**
 * A valid session with its key and account. A session that was opened from another key is valid only as long as that
 * key is.
 */
const LIVE = `
  console_sessions s join api_keys k using (account_id, key_id) join accounts using (account_id)
  where session_hash = $1 and s.expires_at > $2 and revoked_at is null and (k.expires_at is null or k.expires_at > $2)
    and (s.own_key_id is null or exists (select from api_keys own
      where own.account_id = s.own_account_id and own.key_id = s.own_key_id and own.revoked_at is null
        and (own.expires_at is null or own.expires_at > $2)))`

/** @param sessionMs how long a session lasts, unless its key ends earlier */
export function createConsoleSessions(pool: Pool, sessionMs: number, now: () => Date): ConsoleSessions {
  return {
    open: (caller, former) => open(pool, caller, former, new Date(now().getTime() + sessionMs)),
    goBack: (token) => goBack(pool, token, now()),
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
        `select name as account, hint as "keyHint", scopes, least(s.expires_at, k.expires_at) as "expiresAt",
          demo_of is not null as "isDemo",
          (select name from accounts own where own.account_id = s.own_account_id) as "ownAccount"
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

const createToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url')

/**
 * One statement: inserts the new session and deletes the former one, expired ones and those above the limit. A session
 * that can go back ends no later than the session that it was opened from would have.
 */
async function open(
  pool: Pool,
  { accountId, keyId }: Caller,
  formerToken: string | null,
  expiresAt: Date,
): Promise<string> {
  const token = createToken()
  await pool.query(
    `with former as (
      delete from console_sessions where session_hash = $6
      returning coalesce(own_account_id, account_id) as account_id, coalesce(own_key_id, key_id) as key_id, expires_at
    ), own as (
      select former.* from former join accounts demo on demo.demo_of = former.account_id
      where demo.account_id = $1 and expires_at > now()
    ), over as (
      delete from console_sessions where account_id = $1 and session_hash in (
        select session_hash from (
          select session_hash, expires_at, key_id,
            row_number() over (partition by key_id order by created_at desc) as age
          from console_sessions where account_id = $1
        ) own where expires_at <= now() or key_id = $2 and age >= $5
      )
    )
    insert into console_sessions (account_id, key_id, session_hash, expires_at, own_account_id, own_key_id)
    select $1, $2, $3, least($4, own.expires_at), own.account_id, own.key_id
    from (values (1)) one left join own on true`,
    [accountId, keyId, hashOf(token), expiresAt, SESSIONS_PER_KEY_MAX, formerToken && hashOf(formerToken)],
  )
  return token
}

/** The expiry of the session is kept: switching to a demo fleet and back does not extend it. */
async function goBack(pool: Pool, token: string, now: Date): Promise<string | null> {
  const own = createToken()
  const { rowCount } = await pool.query(
    `with demo as (
      delete from console_sessions s using api_keys k
      where session_hash = $1 and s.expires_at > $2 and k.account_id = s.own_account_id and k.key_id = s.own_key_id
        and revoked_at is null and (k.expires_at is null or k.expires_at > $2)
      returning k.account_id, k.key_id, s.expires_at
    )
    insert into console_sessions (account_id, key_id, session_hash, expires_at)
    select account_id, key_id, $3, expires_at from demo`,
    [hashOf(token), now, hashOf(own)],
  )
  return rowCount === 1 ? own : null
}
