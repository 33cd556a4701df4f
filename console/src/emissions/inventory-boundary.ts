// By which rules kilograms are counted, and what is usual where an address does not say.

export const DATE_BASES = ['tenure', 'dispatch', 'order'] as const
export const REPORTING_ENTITIES = ['lessee', 'lessor'] as const
export const CONSOLIDATION_APPROACHES = ['operational', 'financial'] as const
export const LEASE_TYPES = ['operating', 'finance'] as const

/** An address may say anything: what is none of the words is the first of them. */
export const wordOf = <Word extends string>(words: readonly Word[], text: string): Word =>
  words.find((word) => word === text) ?? words[0]!
