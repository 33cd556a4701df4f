// ISO 3166-1: which alpha-2 code is that of an alpha-3 code.
import countries from 'i18n-iso-countries/index.js'

/** Null for a code that no country has. */
export const alpha2Of = (alpha3: string): string | null => countries.alpha3ToAlpha2(alpha3) ?? null
