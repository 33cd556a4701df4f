// What all parts of a device's page are told.
import type { Entry, Ledger, Story } from './story.ts'

export interface Told {
  readonly serial: string
  readonly story: Story
  readonly orders: Ledger['orders']
  readonly entries: readonly Entry[]
  readonly total: number
  /** The day that the page is about, as YYYY-MM-DD: today, or the one that was chosen. */
  readonly day: string
  /** As the API takes it; undefined for now. */
  readonly knownAt: string | undefined
}
