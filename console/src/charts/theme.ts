// How the parts and stages of a footprint look, on every chart alike: a colour of 3 to 1, and a pattern besides.

export const LOOKS = ['make', 'use', 'transport', 'packaging', 'end', 'rest', 'total', 'less'] as const
/** What is contracted and has not happened is drawn apart from all others. */
export const AHEAD = 'ahead'
export type Look = (typeof LOOKS)[number] | typeof AHEAD

export interface Series {
  readonly key: string
  readonly label: string
  readonly look: Look
}

export const colourOf = (look: Look): string => `var(--look-${look})`
export const fillOf = (chart: string, look: Look): string => `url(#${chart}-${look})`
