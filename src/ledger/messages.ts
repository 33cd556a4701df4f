// Messages about what contradicts the ledger: other content under an id, and events that cannot have happened.
import { defineMessages } from '../engine/message.ts'

export const LEDGER_MESSAGES = defineMessages({
  order_differs: 'This customer_id and order_id are taken by an order with other content: it differs at {paths}',
  event_differs: 'This event_id is taken by an event with other content: it differs at {paths}',
  differs: 'Is {sent} here, and {stored} in what is stored',
  differs_not_sent: 'Is absent here, and {stored} in what is stored',
  differs_not_stored: 'Is {sent} here, and absent in what is stored',
  order_reversed: [
    'This customer_id and order_id were stored by an import that was reversed and cannot be used again: send the ',
    'order under another order_id or, if the whole first file was wrong, import it into a new account',
  ],
  event_contradicts: 'The event contradicts what is recorded: {path}: {problem}',
  refurbishment_impossible: 'Cannot be of the device "{serial_number}": {problem}',
})
