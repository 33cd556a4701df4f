// Names of fallbacks, in parts: the type of device, its brand or family, and what the figure depends on.
import { defineMessages, type Message } from '../message.ts'
import type { DeviceType } from './reference-data.ts'

/** These names are part of receipts, so their words do not change. */
export const FALLBACK_MESSAGES = defineMessages({
  fallback_typical: 'a typical {product} (stands in for a model that is not known)',
  fallback_known: '{device} (no published footprint: a typical {fallback} stands in)',
  fallback_by_weight: '{product} (stands in for a model that is not known)',
  product_of_brand: '{brand} {type}',
  product_of_family: '{device} of the family {family}',
  product_of_weight: '{device} of its weight',
  product_of_weight_and_screen: '{device} of its weight and screen',
  product_it_equipment: 'IT equipment by weight',
  type_laptop: 'laptop',
  type_mobile: 'mobile',
  type_tablet: 'tablet',
  type_monitor: 'monitor',
  type_gaming_console: 'gaming console',
  type_headphone: 'headphone',
  type_any: 'device',
})

export const nameOfType = (type: DeviceType | 'any'): Message => FALLBACK_MESSAGES[`type_${type}`]()
