// Verifies and signs webhooks by Standard Webhooks 1.0.0, with WebCrypto, so in Node, browsers and workers alike.

const TOLERANCE_SECONDS = 300
const PREFIX = 'whsec_'
const HMAC = { name: 'HMAC', hash: 'SHA-256' }

type Body = string | Uint8Array | ArrayBuffer
type HeaderSource = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

/** The request is not from somebody who has one of the secrets, or is too old. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'
}

export interface VerifyOptions {
  readonly toleranceSeconds?: number
  /** Now, in seconds since 1970. */
  readonly now?: number
}

/**
 * @param rawBody as it arrived: JSON that was parsed and written again has other bytes
 * @param secrets each begins with `whsec_`; one of them has to be that of the sender
 * @returns the parsed body
 * @throws WebhookVerificationError
 */
async function verify<Event = unknown>(
  rawBody: Body,
  headers: HeaderSource,
  secrets: string | readonly string[],
  { toleranceSeconds = TOLERANCE_SECONDS, now = Date.now() / 1000 }: VerifyOptions = {},
): Promise<Event> {
  const [id, timestamp, signature] = ['id', 'timestamp', 'signature'].map((name) =>
    headerOf(headers, `webhook-${name}`),
  )
  if (!id || !timestamp || !signature) throw new WebhookVerificationError('A header webhook-… is missing')
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(now - Number(timestamp)) > toleranceSeconds)
    throw new WebhookVerificationError('webhook-timestamp is too far from now')
  const bytes = bytesOf(rawBody)
  const content = signedContent(id, timestamp, bytes)
  const signatures = signature.split(' ').flatMap((entry) => (entry.startsWith('v1,') ? [decode(entry.slice(3))] : []))
  for (const key of await Promise.all([secrets].flat().map(importKey))) {
    for (const one of signatures)
      if (one && (await crypto.subtle.verify(HMAC, key, one, content)))
        return JSON.parse(new TextDecoder().decode(bytes)) as Event
  }
  throw new WebhookVerificationError('No signature is by one of the secrets')
}

/** @returns the headers of a webhook, for tests of a receiver */
async function sign(
  rawBody: Body,
  secrets: string | readonly string[],
  { id, timestamp = Math.floor(Date.now() / 1000) }: { readonly id: string; readonly timestamp?: number },
): Promise<Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>> {
  const content = signedContent(id, `${timestamp}`, bytesOf(rawBody))
  const keys = await Promise.all([secrets].flat().map(importKey))
  const signatures = await Promise.all(keys.map((key) => crypto.subtle.sign(HMAC, key, content)))
  const entries = signatures.map((one) => `v1,${btoa(String.fromCharCode(...new Uint8Array(one)))}`)
  return { 'webhook-id': id, 'webhook-timestamp': `${timestamp}`, 'webhook-signature': entries.join(' ') }
}

export const webhooks = { verify, sign }

function headerOf(headers: HeaderSource, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined
  const value = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  return typeof value === 'string' ? value : value?.join(' ')
}

const bytesOf = (body: Body): Uint8Array =>
  typeof body === 'string' ? new TextEncoder().encode(body) : new Uint8Array(body)

function signedContent(id: string, timestamp: string, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const head = new TextEncoder().encode(`${id}.${timestamp}.`)
  const content = new Uint8Array(head.length + body.length)
  content.set(head)
  content.set(body, head.length)
  return content
}

async function importKey(secret: string) {
  const bytes = secret.startsWith(PREFIX) ? decode(secret.slice(PREFIX.length)) : null
  if (!bytes?.length) throw new TypeError(`A secret has to be ${PREFIX} and base64`)
  return crypto.subtle.importKey('raw', bytes, HMAC, false, ['sign', 'verify'])
}

/** @returns null for what is not base64 */
function decode(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  } catch {
    return null
  }
}
