// Declares the only member of @tgwf/co2 that is used; the package contains no types.
declare module '@tgwf/co2' {
  /** g CO2e per kWh, by ISO 3166-1 alpha-3 code or name of a region; 0 if there is no figure. */
  export const averageIntensity: { readonly data: Readonly<Record<string, number>> }
}
