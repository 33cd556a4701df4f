// What every answer says to browsers and caches, whoever writes it: the framework, load shedding, or Node's parser.

/** An operation whose answer may be kept, and a page with rules of its own, write theirs over these. */
export const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
} as const
