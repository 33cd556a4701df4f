// Whose figure one of a list is.
import type { Source } from '../../engine/reference/reference-data.ts'

export const originView = ({ origin, version }: Source) => ({
  origin: origin ?? 'catalogue',
  ...(version !== undefined && { version }),
})
