// The first segments of the paths of pages: the server answers each of them, and all below it, with the console.

/** A page that is added is named here and in pages.ts; the overview is at `/` itself. */
export const PAGE_SEGMENTS = [
  'orders',
  'devices',
  'catalogue',
  'matching',
  'estimate',
  'import',
  'reports',
  'restatements',
  'settings',
] as const
export type PageSegment = (typeof PAGE_SEGMENTS)[number]
