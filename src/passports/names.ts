// The names in the passport of a device: what identifies it and its lessor, and pseudonyms of customers and orders.
import { createHmac, createPublicKey, hash, hkdfSync, type KeyObject } from 'node:crypto'
import type { OrderKey } from '../engine/device-timeline.ts'
import { sentIdOf } from '../engine/order-revision.ts'

export interface PassportNames {
  readonly passport: string
  readonly product: string
  /** Thumbprint of the key of the account (RFC 9278): nothing else that identifies the lessor is known. */
  readonly lessor: string
  /** The same for all rentals of the device by one customer, and another for every device. */
  readonly customer: (customerId: string) => string
  readonly order: (order: OrderKey) => string
}

/** @param privateKey the key of the account that signs its documents */
export function passportNames(privateKey: KeyObject, serialNumber: string): PassportNames {
  const { crv, kty, x } = createPublicKey(privateKey).export({ format: 'jwk' })
  const thumbprint = hash('sha256', JSON.stringify({ crv, kty, x }), 'base64url')
  // Without the secret, whoever guesses the id of a customer could compute the pseudonym.
  const seed = Buffer.from(privateKey.export({ format: 'jwk' }).d!, 'base64url')
  const secret = Buffer.from(hkdfSync('sha256', seed, '', 'cradle passport pseudonyms', 32))
  const identifier = (kind: string) =>
    toUuid(hash('sha256', JSON.stringify([thumbprint, kind, serialNumber]), 'buffer'))
  const pseudonym = (...parts: readonly string[]) =>
    toUuid(
      createHmac('sha256', secret)
        .update(JSON.stringify([serialNumber, ...parts]))
        .digest(),
    )
  return {
    passport: identifier('passport'),
    product: identifier('device'),
    lessor: `urn:ietf:params:oauth:jwk-thumbprint:sha-256:${thumbprint}`,
    customer: (customerId) => pseudonym('customer', customerId),
    order: ({ customerId, orderId }) => pseudonym('order', customerId, sentIdOf(orderId)),
  }
}

/** A UUID of version 8 (RFC 9562), whose 122 other bits are the first of a hash. */
function toUuid(digest: Buffer): string {
  const bytes = Buffer.from(digest.subarray(0, 16))
  bytes[6] = (bytes[6]! & 0x0f) | 0x80
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  return `urn:uuid:${bytes.toString('hex').replace(/(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')}`
}
