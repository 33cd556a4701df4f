// By which rules kilograms are counted, and what is usual where an address does not say.

export const BASES = ['tenure', 'dispatch', 'order'] as const
export const BOOKS = ['lessee', 'lessor'] as const
export const APPROACHES = ['operational', 'financial'] as const
export const LEASES = ['operating', 'finance'] as const

export type Bases = readonly (typeof BASES)[number][]
const DEMO_BASES: Bases = ['order', 'tenure', 'dispatch']

/** All corrections of a demo fleet are posted on one day: by months held, that month would bear those of a year. */
export const basesOf = ({ is_demo: isDemo }: { readonly is_demo: boolean }): Bases => (isDemo ? DEMO_BASES : BASES)

/** An address may say anything: what is none of the words is the first of them. */
export const wordOf = <Word extends string>(words: readonly Word[], text: string): Word =>
  words.find((word) => word === text) ?? words[0]!
