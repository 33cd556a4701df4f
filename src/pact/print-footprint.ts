// A published footprint as JSON: its content, and what depends on when it was published.
import type { PublishedFootprint } from '../postgres/pact-footprints.ts'

export const printFootprint = (footprint: PublishedFootprint) => ({
  id: footprint.footprintId,
  ...footprint.content,
  created: footprint.createdAt.toISOString(),
  status: footprint.deprecatedAt === null ? 'Active' : 'Deprecated',
  ...(footprint.precedingId !== null && { precedingPfIds: [footprint.precedingId] }),
})
