// Signs a webhook as Standard Webhooks 1.0.0 says: over its id, its time and the bytes of its body.
import { createHmac } from 'node:crypto'

/** A secret as it is shown: once, when it is made. */
export const printSecret = (secret: Buffer): string => `whsec_${secret.toString('base64')}`

/**
 * @param id the same for every attempt
 * @param at when this attempt is made
 * @param secrets each makes a signature, and the receiver accepts any of them: so secrets can be exchanged
 */
export function signatureHeaders(
  id: string,
  at: Date,
  body: string,
  secrets: readonly Buffer[],
): Readonly<Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>> {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const signed = `${id}.${timestamp}.${body}`
  const signatures = secrets.map((secret) => `v1,${createHmac('sha256', secret).update(signed).digest('base64')}`)
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}
