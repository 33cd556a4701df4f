// Messages about imports: uploads that are not accepted, orders and rows that are rejected, and imports that fail.
import { defineMessages } from '../engine/message.ts'

/** Why an upload is not accepted or was stopped. */
export const UPLOAD_MESSAGES = defineMessages({
  upload_given_up: 'The upload was stopped because it was too slow; split the file into several',
  upload_too_slow: [
    'The upload was stopped because it was slower than {rate} KiB per second; split the file into several, or use a ',
    'faster connection',
  ],
  account_uploads_limit: [
    'The account is already sending {max} files, the maximum at a time; send this one again when one of them has ',
    'arrived',
  ],
  service_uploads_limit:
    'The service is already receiving as many files as it can at a time; send this one again later',
  account_files_limit: [
    'The account already has {max} unprocessed files, the maximum; send this one again when one of them is processed, ',
    'or reverse an import',
  ],
  account_bytes_limit: [
    'With this file the account would have more than {max} MiB of unprocessed files; send it again when one of them ',
    'is processed, or reverse an import',
  ],
  file_larger_than_account_limit:
    'The file is larger than the {max} MiB that an account may have; split it into several files',
  service_files_limit: [
    'The service already has as many unprocessed files, or as many bytes of them, as it stores for all accounts; send ',
    'this one again later',
  ],
  disk_reserved_for_orders: [
    'The disk of the database has too little space for the file: {reserved} GiB are reserved for orders, which are ',
    'still accepted. The file was not stored: free some space, and send it again',
  ],
})

/** About kept settings of files. */
export const PROFILE_MESSAGES = defineMessages({
  profile_unknown:
    'There is no import profile "{name}"; leave it out, or create it with PUT /api/import-profiles/{name}',
  profile_offered: 'Settings for files with this header are kept as "{name}"; use them with profile={name}',
})

/** Why an order or a row of a file is rejected, apart from what its cells contain. */
export const ROW_MESSAGES = defineMessages({
  order_stored_differently: 'Other content is stored under this customer_id and order_id. {difference}',
  order_rows_apart: [
    'Row {row} begins an order with the same customer_id and order_id but other content; keep the rows of one order ',
    'together, and give different orders different ids',
  ],
  event_stored_differently: 'Other content is stored under this event_id. {difference}',
  event_order_unknown: 'There is no such order: import the orders first',
  event_device_unknown: 'No order was ever recorded for this device: import the orders first',
  return_without_device: 'Is only for rows of products: other items are not returned',
  return_before_start:
    'Is {date}, before the tenure starts on {start}; the end of a cancelled order needs "cancelled" in ended_by',
  return_not_recorded: 'The order is stored without this end, which contradicts what is recorded: {problem}',
  row_not_stored_completely: [
    'The row is too long to be stored completely: at most {cell} characters of a cell and {row} of a row are stored; ',
    'take the row from the file that was sent',
  ],
  quantity_not_counted: [
    'The column "{column}" stands for {more} more devices, which are not counted: each row is one device with its ',
    'serial number; write a row for each device',
  ],
  row_has_further_errors: 'Further errors of this row that are not listed: {count}',
})

/** Why an import failed. */
export const IMPORT_MESSAGES = defineMessages({
  import_stopped: [
    'The import was stopped after it failed repeatedly without progress, usually because its file needs too much ',
    'memory or time. Orders already stored are kept. Split the file, or save it as CSV, and import that',
  ],
  import_internal_error: 'An internal error of the service; it is in its log',
  import_lacks_privilege: [
    'A dry run needs the privilege TEMPORARY on the database, which its user lacks: its owner grants it by "grant ',
    'temporary on database … to …". Nothing was stored',
  ],
})
