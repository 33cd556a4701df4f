// The fingerprint of a key as a person types it.

const FINGERPRINT = /^[0-9a-f]{64}$/

export const KEY_EXPECTED = '--key takes a fingerprint: 64 hexadecimal digits'

/** Null without a key, undefined for a text that is no fingerprint. */
export function fingerprintIn(typed: string | undefined): string | null | undefined {
  const digits = typed?.replace(/[\s:]/g, '').toLowerCase() ?? null
  return digits === null || FINGERPRINT.test(digits) ? digits : undefined
}
