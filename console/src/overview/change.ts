// By how much something has changed, where a percentage says anything.

/** Beside so many times less, a percentage tells of how little there was before, not of a change. */
const TIMES_MAX = 20

/** In percent of what was before; null where that is nothing, or too little to compare with. */
export const changeOf = (now: number, before: number): number | null =>
  before > 0 && Math.abs(now) <= TIMES_MAX * before ? ((now - before) / before) * 100 : null
