// What all parts of a device's page are told.
import type { MessageFormatter } from '../i18n/language.tsx'
import type en from './messages.en.json'
import type { Entry, Ledger, DeviceHistory, OwnEvent } from './history.ts'

export type DeviceMessages = MessageFormatter<keyof typeof en>

export interface DeviceData {
  readonly serial: string
  readonly history: DeviceHistory
  readonly orders: Ledger['orders']
  readonly entries: readonly Entry[]
  /** Of the device itself, not of its orders. */
  readonly events: readonly OwnEvent[]
  readonly total: number
  /** The day that the page is about, as YYYY-MM-DD: today, or the one that was chosen. */
  readonly day: string
  /** As the API takes it; undefined for now. */
  readonly knownAt: string | undefined
}
