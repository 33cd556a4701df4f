// Access tokens of OAuth clients: JWTs that end after an hour, or with the client.
import { SignJWT, decodeJwt, errors, jwtVerify } from 'jose'
import type { WorkingClient } from '../../postgres/pact-clients.ts'

export const TOKEN_SECONDS = 3600
const TYPE = 'at+jwt'
const ALGORITHM = 'HS256'
/** Others are not looked up: a token may have anything there, such as a NUL, at which the database would fail. */
export const CLIENT_ID = /^pact_[\da-f]{24}$/
export const PACT_SCOPES = ['footprint:list', 'footprint:read'] as const

/** Signed with the hash of the client's secret, so that no token outlives its client. */
export const issueToken = (client: WorkingClient, now: Date): Promise<string> =>
  new SignJWT({ scope: PACT_SCOPES.join(' ') })
    .setProtectedHeader({ alg: ALGORITHM, typ: TYPE })
    .setSubject(client.clientId)
    .setIssuedAt(now)
    .setExpirationTime(new Date(now.getTime() + TOKEN_SECONDS * 1000))
    .sign(client.secretHash)

/** The client that a token was issued to, or why it gives no access. */
export async function clientOfToken(
  token: string,
  findClient: (clientId: string) => Promise<WorkingClient | null>,
  now: Date,
): Promise<WorkingClient | 'invalid' | 'expired'> {
  const clientId = subjectOf(token)
  const client = clientId === null ? null : await findClient(clientId)
  if (client === null) return 'invalid'
  try {
    await jwtVerify(token, client.secretHash, { algorithms: [ALGORITHM], typ: TYPE, currentDate: now })
    return client
  } catch (error) {
    return error instanceof errors.JWTExpired ? 'expired' : 'invalid'
  }
}

function subjectOf(token: string): string | null {
  try {
    const { sub } = decodeJwt(token)
    return typeof sub === 'string' && CLIENT_ID.test(sub) ? sub : null
  } catch {
    return null
  }
}
