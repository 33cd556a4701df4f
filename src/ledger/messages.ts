// Messages about what contradicts the ledger: other content under an id, and events that cannot have happened.
import { defineMessages } from '../engine/message.ts'

export const LEDGER_MESSAGES = defineMessages({
  order_differs: 'This customer_id and order_id are taken by an order with other content: it differs at {paths}',
  event_differs: 'This event_id is taken by an event with other content: it differs at {paths}',
  differs: 'Is {sent} here, and {stored} in what is stored',
  differs_not_sent: 'Is absent here, and {stored} in what is stored',
  differs_not_stored: 'Is {sent} here, and absent in what is stored',
  order_reversed: 'The import that stored the order was undone, so there is nothing to correct: send the order again',
  order_revisions_exceeded:
    'The order has {max} revisions, and cannot have more: send the right content under another order_id',
  order_changed: [
    'The order was changed since the state that If-Match names: read it again, and correct what it is now, with its ',
    'ETag {etag}',
  ],
  event_contradicts_content: [
    'The event "{event_id}" contradicts the corrected content and has to be withdrawn first: {problem}',
  ],
  event_contradicts: 'The event contradicts what is recorded: {path}: {problem}',
  order_refused: 'The account refuses orders with warnings: {path}: {problem}',
  refurbishment_impossible: 'Cannot be of the device "{serial_number}": {problem}',
})

/** Why an order in the scope of a restatement stays as it is. */
export const RESTATEMENT_MESSAGES = defineMessages({
  order_gone: 'The order does not count any more',
  order_renamed: 'An erasure replaced the ids of the order',
  order_unresolved: 'The figures do not contain what the order names: {problems}',
  order_long_ledger: 'A device of the order has more than 250 entries',
})

/** What the ledgers of its devices say against an order: true before it is stored, after it, and if it is refused. */
export const LEDGER_WARNINGS = defineMessages({
  serial_number_differs_in_case: [
    'There is a device "{known}", which differs from this serial number in case or white space alone, and counts as ',
    'another device; send "{known}" if it is the same',
  ],
  device_retired: 'The device was {type} on {date}, on or before the first day of this tenure',
  rented_to_another_customer: [
    'Without this order, the order "{order_id}" of "{customer_id}" has the device until {end}; with it, only until ',
    '{start}, and that rental is allocated {moved_kg} kg CO2e less',
  ],
  overlaps_same_customer: [
    'Without this order, the same customer has the device under the order "{order_id}" until {end}; with it, only ',
    'until {start}',
  ],
  identified_as_another_model: [
    'The product is {sent}, but the device is calculated as {known}; the embodied emission of what was sent ',
    'differs from that by {difference_kg} kg CO2e. If the device is what was sent, identify it: that ',
    'changes the emission of its orders, this one included, by {moved_kg} kg CO2e',
  ],
})
