// Who publishes footprints, and the ids that it gives.
import { PACT_VERSION, type FootprintContent } from './product-footprint.ts'

export interface Publisher {
  /** URL at which clients reach the service; product and company ids begin with its domain. */
  readonly url: URL
  /** Name of the account. */
  readonly companyName: string
}

/** @returns a key that the same rental, shipment, year and company keep */
export const urnOf = ({ url }: Publisher, kind: string, ...ids: readonly string[]): string =>
  ['urn', 'pact', url.hostname, kind, ...ids.map(encodeURIComponent)].join(':')

/** The members that are the same in all footprints of a publisher. */
export const publishedBy = (
  publisher: Publisher,
): Pick<FootprintContent, 'specVersion' | 'companyName' | 'companyIds'> => ({
  specVersion: PACT_VERSION,
  companyName: publisher.companyName,
  companyIds: [urnOf(publisher, 'supplier-id', publisher.companyName)],
})
