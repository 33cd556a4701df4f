// Console sessions: a client signs in with a key once and then has a cookie that scripts and other sites cannot use.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ReferenceData } from '../../engine/reference/reference-data.ts'
import type { ConsoleSession, ConsoleSessions } from '../../postgres/console-sessions.ts'
import {
  onlyMatch,
  rejectInvalidKey,
  rejectOverLimit,
  sessionCookie,
  sessionTokensOf,
  type AuthenticateOptions,
} from '../plugins/authentication.ts'
import { ApiError, invalidRequest } from '../../contract/errors.ts'
import { operationLabel } from '../../observability/request-metrics.ts'
import { isSameOrigin } from '../plugins/same-origin.ts'
import { ACCESS_MESSAGES } from '../messages.ts'

export interface ConsoleSessionsContext extends AuthenticateOptions {
  readonly sessions: ConsoleSessions
  readonly sessionMs: number
  readonly version: string
  readonly referenceData: Pick<ReferenceData, 'release'>
  /** Null if PACT is not served. */
  readonly publicUrl: string | null
}

const PATH = '/console/session'
const PATH_BACK = `${PATH}/back`

/** Larger than any body with a key, and small enough to be read at negligible cost. */
const BODY_BYTES_MAX = 1024
/** Concurrent sign-ins. Each may query the database, and attempts to guess keys must not starve valid requests. */
const SIGN_INS_MAX = 8
const BUSY = new ApiError('unavailable', ACCESS_MESSAGES.sign_ins_exceeded())

/** These routes are not in the OpenAPI document, because they serve only the pages of the console. */
export function serveConsoleSessions(app: FastifyInstance, context: ConsoleSessionsContext): void {
  const route = (operationId: string) => ({ config: operationLabel(operationId), bodyLimit: BODY_BYTES_MAX })
  let signingIn = 0
  app.get(PATH, route('getConsoleSession'), (request, reply) => sendSession(request, reply, context))
  app.post(PATH, route('openConsoleSession'), async (request, reply) => {
    if (signingIn >= SIGN_INS_MAX) throw BUSY
    signingIn += 1
    return signIn(request, reply, context).finally(() => (signingIn -= 1))
  })
  app.post(PATH_BACK, route('leaveDemoFleet'), (request, reply) => goBack(request, reply, context))
  app.delete(PATH, route('closeConsoleSession'), (request, reply) => signOut(request, reply, context))
}

const answer = (
  reply: FastifyReply,
  session: ConsoleSession | null,
  { version, referenceData, publicUrl }: ConsoleSessionsContext,
) =>
  reply.send({
    version,
    dataset_release: referenceData.release,
    pact_url: publicUrl,
    session: session && {
      account: session.account,
      key: session.keyHint,
      scopes: session.scopes,
      expires_at: session.expiresAt.toISOString(),
      is_demo: session.isDemo,
      own_account: session.ownAccount,
    },
  })

/** A client that is not signed in gets `session: null`. That is not an error, since every first visit begins so. */
async function sendSession(request: FastifyRequest, reply: FastifyReply, context: ConsoleSessionsContext) {
  const token = isSameOrigin(request) ? await tokenOf(request, context) : null
  return answer(reply, token === null ? null : await context.sessions.describe(token), context)
}

/** The token of the session of the page, or null where it has none. */
async function tokenOf(request: FastifyRequest, { sessions }: ConsoleSessionsContext): Promise<string | null> {
  const tokens = sessionTokensOf(request)
  if (tokens.length < 2) return tokens[0] ?? null
  const ofSession = async (token: string) => ((await sessions.describe(token)) === null ? null : token)
  return onlyMatch(await Promise.all(tokens.map(ofSession)))
}

/** If a client with a session signs in with the key of its demo fleet, it can go back to its own account later. */
async function signIn(request: FastifyRequest, reply: FastifyReply, context: ConsoleSessionsContext) {
  refuseOtherSites(request)
  const key = readKey(request.body)
  const caller = context.isWellFormedKey(key) ? await context.findCaller(key) : null
  if (caller === null) throw await rejectInvalidKey(request, context)
  const refusal = await rejectOverLimit(caller, context, reply)
  if (refusal) throw refusal
  return enter(request, reply, await context.sessions.open(caller, await tokenOf(request, context)), context)
}

/** Goes from the demo fleet back to the client's own account, without sending the key again. */
async function goBack(request: FastifyRequest, reply: FastifyReply, context: ConsoleSessionsContext) {
  refuseOtherSites(request)
  const token = await tokenOf(request, context)
  const own = token && (await context.sessions.goBack(token))
  if (own === null) throw new ApiError('unauthorized', ACCESS_MESSAGES.session_no_return())
  return enter(request, reply, own, context)
}

async function enter(request: FastifyRequest, reply: FastifyReply, token: string, context: ConsoleSessionsContext) {
  void reply.header('set-cookie', sessionCookie(request, token, context.sessionMs / 1000))
  return answer(reply, await context.sessions.describe(token), context)
}

async function signOut(request: FastifyRequest, reply: FastifyReply, context: ConsoleSessionsContext) {
  refuseOtherSites(request)
  await Promise.all(sessionTokensOf(request).map((token) => context.sessions.close(token)))
  void reply.header('set-cookie', sessionCookie(request, '', 0))
  return answer(reply, null, context)
}

function refuseOtherSites(request: FastifyRequest): void {
  if (!isSameOrigin(request)) throw new ApiError('unauthorized', ACCESS_MESSAGES.session_other_site())
}

/** A malformed key counts as an invalid key; only a value that is not a string is an invalid request. */
function readKey(body: unknown): string {
  const key = typeof body === 'object' && body !== null && 'api_key' in body ? body.api_key : undefined
  if (typeof key === 'string') return key.trim()
  throw invalidRequest([{ path: '/api_key', ...ACCESS_MESSAGES.api_key_required() }])
}
