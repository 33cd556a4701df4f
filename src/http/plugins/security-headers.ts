// Security and cache headers of every response, whether the framework, load shedding or the parser's error handler
// sends it.

/** Operations whose response may be cached, and pages with their own rules, override these. */
export const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
} as const
