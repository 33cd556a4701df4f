// Messages of the HTTP interface: requests that cannot be read or may not be made, parameters, and each route's errors.
import { defineMessages } from '../engine/message.ts'

export const PROTOCOL_MESSAGES = defineMessages({
  http_invalid: 'The request is not valid HTTP/1.1',
  http_version: 'The request line must end in HTTP/1.1 or HTTP/1.0',
  http_host_missing: 'The header Host is missing, which HTTP/1.1 requires',
  http_host_repeated: 'The header Host is sent more than once; send it once',
  http_host_invalid: 'The header Host must be a host name or an address, with a port if needed',
  http_host_contradicted: 'The request line names another host than the header Host',
  http_target: 'The target in the request line must be a path that begins with a slash',
  http_expectation: 'The header Expect may only be 100-continue',
  http_connect: 'CONNECT is for proxies, and this service is not a proxy',
  header_fields_too_large: 'The header fields are larger than 16 KiB',
  chunk_extensions_too_large: 'The extensions of a chunk are larger than 16 KiB',
  request_late: 'The request did not arrive in time',
  body_mismatch: 'The request cannot be read: its body does not match its headers',
  body_too_large: 'The body is larger than {limit}; split it into several requests',
  body_charset: 'JSON is sent in UTF-8, not in {charset}',
  body_encoding: 'The body must be sent without content encoding or with gzip, not with "{encoding}"',
  body_not_gzip: 'The body cannot be decompressed: it is not in gzip, or incomplete',
  file_encoding: 'A file must be sent as it is, without content encoding',
  content_type_missing: 'Send the body with the header "Content-Type: application/json"',
  content_type_form: [
    'The API does not accept forms; send the body as JSON, with the header "Content-Type: application/json"',
  ],
  content_type_file: 'The media type of a file must be one of {types}; it is "{sent}"',
  content_type_wrong: 'Send the body with the header "Content-Type: application/json", not "{sent}"',
  file_missing: 'Send the file as the body',
  form_without_boundary: 'The form has no boundary in its Content-Type; let the client set this header itself',
  form_without_file: 'The form has no file; send one part with a file name, like curl -F file=@orders.csv',
  form_files: 'The form has more than one file; send each in a request of its own',
  form_fields: 'The form has more than {max} fields',
  form_field_too_long: 'The field "{name}" of the form is longer than {max} bytes, or its name is too long',
  form_too_large: 'The form has more than {max} bytes beside its file',
  form_incomplete: 'The form ends before its closing boundary, or its parts cannot be read',
  form_encoding: 'The file of the form has the Content-Transfer-Encoding {encoding}; send its bytes unmodified',
  file_too_large: 'The file is larger than 1 GiB; split it into several files',
  if_match_missing: [
    'The header If-Match is missing: it has the ETag of the order as you read it, so that nobody corrects what ',
    'another person has changed meanwhile; "*" corrects it as it is now',
  ],
  if_match_invalid: 'The header If-Match must be an ETag as GET of the order returned it, such as "1-0", or *',
  accept_excludes: 'The types of the response are {types}, which the header Accept excludes',
  path_unreadable: 'The path cannot be read: it is too long, or a percent sign in it encodes no character',
  path_unknown: 'There is nothing under this path',
  route_unknown: 'There is nothing under {method} {path}; GET /openapi.json lists what there is',
  route_similar: 'There is nothing under {method} {path}; the right path is {near}',
  method_unknown: 'This path is for the methods {methods}',
  internal_error: 'An internal error of the service; please report it with the request id',
})

export const SERVICE_MESSAGES = defineMessages({
  service_starting: 'The service waits for its database; try again',
  service_stopping: 'The service is stopping; try again',
  service_overloaded: 'Too many requests are waiting; this request was not processed. Try again',
  client_gone: 'The client has closed its connection',
  reports_unread: 'Too many large reports are waiting for their clients to read them; try again',
  statements_unread: 'Too many large statements are waiting for their clients to read them; try again',
  not_ready_database: 'Not ready: the database does not answer within a second',
  not_ready_schema: 'Not ready: the schema of the database is not the one of this release; see cradle migrate --check',
  not_ready_workers: 'Not ready: not all workers serve; those that do answer meanwhile',
})

export const ACCESS_MESSAGES = defineMessages({
  api_key_invalid: 'The API key is missing or invalid; send it in the header X-API-Key',
  api_key_required: 'Is missing; send the key to sign in with, as a string',
  api_keys_wrong: 'The API key is invalid, and this address has sent too many invalid keys; wait {seconds} s',
  requests_exceeded: 'This key has sent too many requests in this second; wait a second',
  batch_exceeds_rate: [
    'This batch counts as {count} requests, and this key may not send as many in this second; wait a second, or send ',
    'fewer at a time',
  ],
  scope_missing: 'The API key lacks the scope "{scope}"',
  session_over: 'The session of the console is over; sign in again',
  session_elsewhere: 'A console session works only on pages of the console; send an API key instead',
  session_other_site: 'Sign in and out on the console’s own page',
  session_no_return: 'There is no way back from here; sign in with your key',
  sign_ins_exceeded: 'Too many clients are signing in at the same time; try again',
  key_unknown: 'There is no key {key_id}; GET /api/keys lists those there are',
  key_expired: 'Must not be in the past; it is {sent}',
  key_without_scope: 'Must name at least one scope',
  last_admin_key:
    'It is the last key with the scope admin that works; send allow_last_admin=true to be left without one',
})

export const PARAMETER_MESSAGES = defineMessages({
  parameter_repeated: 'Is sent more than once; send it once',
  parameter_unknown: '"{name}" is not a parameter here; there are {names}',
  parameters_none: '"{name}" is not a parameter; there are none here',
  cursor_unknown: 'Is not a cursor of this list; take it from the header Link',
  before_from: 'Must not be before from, which is {from}; it is {to}',
  source_missing: 'Is missing: say which study or survey {name} is from',
  source_alone: 'Is sent without {name}, of which it is the source; send both',
  rebound_of_displacement: [
    'Must not be sent with displacement: both say how much of the difference counts. Send the one that your source ',
    'states',
  ],
  resale_values_alone: 'Is sent without allocation=all, to which it belongs; send both',
  resale_value_rises: 'Must not rise: {value} comes after {before}. Send the value of the new device first',
  value_repeated: 'Is sent more than once: "{value}"',
  values_exceeded: 'Must be at most {max} values; there are {count}',
  format_contradicted: 'Is {sent}, but the Content-Type is that of {type}',
  layout_of_orders: 'Is {sent}, a layout of orders, but kind is events',
  name_or_id_missing: 'Is missing: product_name or product_id must be sent',
})

export const WEBHOOK_MESSAGES = defineMessages({
  event_cursor_unknown: 'Is not a cursor of this feed; send the `next` of an earlier response',
  event_cursor_expired: [
    'Events after this cursor were deleted, because they are older than {days} days; read your orders again, and ',
    'read the feed from the beginning, without `after`',
  ],
  webhook_unknown: 'There is no webhook {webhook_id}; GET /api/webhooks lists all',
  webhooks_exceeded: 'An account can have at most {max} webhooks; delete one that you no longer need',
  webhook_url_invalid: 'Must be an absolute URL without a fragment, like https://example.com/cradle',
  webhook_url_scheme: 'Must begin with https://',
  webhook_url_credentials: 'Must have no user name and no password; the signature proves where a webhook comes from',
  webhook_url_port: 'Must have one of the ports {ports}',
  webhook_url_address: 'Must be a public address; this one belongs to a private or special-purpose network',
  webhook_disabled: 'The webhook is disabled; enable it first',
  delivery_unknown: 'This webhook has no delivery {delivery_id}; deliveries are kept for {days} days',
})

/** What a parameter must be, beside what members of a body must be. */
export const EXPECTED_PARAMETER = defineMessages({
  expected_words: 'Must be 1 to {max} characters, not only white space, without control characters',
  expected_time: 'Must be a time with its zone, like 2026-01-31T23:59:59Z',
  expected_time_parameter: 'Must be a time with its zone, like 2026-01-31T23:59:59Z (a + is sent as %2B)',
  expected_day_or_month: 'Must be a calendar day or a month, like 2026-01-31 or 2026-01',
  expected_serial_number: 'Must be a serial number without control characters',
  expected_like: 'Must be like {example}',
  expected_dimension: 'Must be one of {choices}, or metadata. and a member',
  expected_header_row: 'Must be the number of a row from 1 to {max}',
  expected_constants: 'Must be a JSON object whose values are texts or numbers',
  expected_json_object: 'Must be a JSON object',
  expected_columns: 'Must be a JSON object whose values are names of columns or "-", as strings',
})

export const ROUTE_MESSAGES = defineMessages({
  pact_off: 'This service does not offer PACT: the operator must set CRADLE_PUBLIC_URL first',
  pact_clients_exceeded: 'The account has {max} OAuth clients, and cannot have more',
  pact_client_unknown: 'There is no OAuth client "{client_id}"; GET /api/pact-clients lists all',
  order_unknown: 'There is no order "{order_id}" of the customer "{customer_id}"',
  order_id_of_path: 'Must be {expected} as in the path: a correction cannot change it',
  order_unknown_then: 'No order "{order_id}" of the customer "{customer_id}" was known at {time}',
  order_posted: 'The order "{order_id}" of "{customer_id}" is already posted; estimate it under another order_id',
  order_id_posted: 'Is already posted; estimate it under another order_id, or read its current state',
  orders_unsortable: [
    'Up to {max} orders are sorted by total_emission, and there are more; narrow them down by customer_id, by from ',
    'and to, by status or by search',
  ],
  device_unknown: 'No order was ever recorded for a device "{serial_number}"',
  serial_number_empty: 'Name a serial number in the path',
  customer_unknown: 'There is no order of a customer "{customer_id}"',
  statement_year: 'There are statements for the years {first} to {last}',
  lives_exceeded: 'Shares by other methods are computed for devices with up to {max} rentals; this device has more',
  passport_too_long: 'A passport has up to {max} entries of a ledger; this device has more',
  statement_too_long: 'A statement has up to {max} devices and as many orders; this customer has more',
  inventory_too_long:
    'An inventory like this has up to {max} devices, and there are more; for one customer, send customer_id',
  statement_too_heavy: 'A statement contains less than a million tonnes; this customer has more',
  unknown_model_similar: 'There is no device model "{model_id}"; the nearest are {similar}',
  mappings_exceeded: [
    'An account maps at most {max} product ids; it maps {count} now, and {added} would be added. Remove those that ',
    'you no longer need',
  ],
  release_not_installed: 'There is no dataset release "{release}"; GET /api/dataset-releases lists those there are',
  grid_series_unknown: 'There is no series of grid factors "{series}"; there are {ids}',
  mapping_unknown: 'There is no mapping of the product id "{product_id}"',
  mapping_of_two: 'Contradicts model_id, which has a type of its own; send one of the two',
  expected_model: 'Must be a device model, unless device_type is sent',
  product_id_in_path: 'The product id in the path {problem}',
  product_id_length: 'Must be 1 to {max} characters after NFC and trimming, without control characters',
  product_id_dots: 'Must not be "{product_id}": a path that ends with it is read as another path',
  product_id_differs: 'Is {sent} here, and "{product_id}" in the path; omit it',
  product_id_repeated: 'Is already used at /{position}; a product id is mapped once',
  import_unknown: 'There is no import {import_id}; GET /api/imports lists those there are',
  import_empty: 'The import {import_id} stored nothing',
  import_dry_run: 'Was a dry run: there is nothing to reverse',
  restatement_unknown: 'There is no restatement {restatement_id}; GET /api/restatements lists those there are',
  restatements_exceeded: 'An account keeps at most {max} previews; delete one that will not be applied',
  restatement_digest: 'The preview has another digest: {digest}',
  restatement_without_figures: 'Must have at least one of {members}',
  restatement_state: 'The restatement is {state}',
  restatement_not_applied:
    'Restatement {restatement_id} has the state {state}; it can be undone only after orders were posted',
  undo_with_other_figures: 'before_restatement cannot be combined with other members of figures',
  release_unknown: 'There is no dataset release "{release}" in this service',
  statement_during_restatement: [
    'A restatement of the account is being applied: statements are available again as soon as GET /api/restatements ',
    'says that it is applied',
  ],
  import_profile_unknown: 'There is no import profile "{name}"; GET /api/import-profiles lists those there are',
  import_profiles_exceeded: 'An account keeps at most {max} import profiles; delete one that you no longer need',
  import_profile_name: 'The name in the path must be 1 to {max} characters without control characters, and not . or ..',
  import_profile_of_two: 'Send either import_id or header with settings: one of them says how the file is read',
  import_profile_of_bodies: 'The file of import {import_id} has no header, so no profile can be kept for it',
  import_profile_too_large: 'A profile has at most {max} characters of header and settings; this one has {size}',
  template_unknown: 'There are templates for {layouts}, not for "{sent}"',
  reopening_reason_missing: 'Is missing: reopening closed days requires a reason',
  erasure_while_importing:
    'A file is being imported into the account, and it may name the customer; try again when that is done',
  erasure_of_tied_orders: [
    'An order of the customer begins on the same day as orders of others on the same device, and no other id sorts ',
    'between theirs: the emissions of these orders would move',
  ],
  scenario_orders_exceeded: 'The scope has more than {max} orders; limit it by customer_id, or by from and to',
  scenario_entries_exceeded: [
    'The devices in the scope have more than {max} ledger entries; limit it by customer_id, or by from and to',
  ],
  demo_fleet_unknown: 'There is no demo fleet; POST /api/demo-fleet loads one',
  demo_fleet_itself: 'This account holds a demo fleet itself; ask with a key of your own account',
  demo_fleet_name: 'Another account has the name that the demo fleet would have',
  demo_fleet_gone: 'The demo fleet was removed meanwhile; load it again',
  demo_fleet_busy: 'The demo fleet is being loaded, or a file is being imported into it; remove it when that is done',
})

/** Why devices are compared with these. */
export const IMPACT_MESSAGES = defineMessages({
  new_of_model: 'The rented device as a new one: {name}',
  new_of_fallback: 'A new device by the fallback figure of the rented one, whose model has no sheet: {name}',
})

/** Why a change of a scenario leaves an order as it is. */
export const SCENARIO_MESSAGES = defineMessages({
  scenario_no_devices: 'The order has no devices',
  scenario_other_device_type: 'The order has no device of this type or, for transport and packaging, others as well',
  scenario_no_such_leg: 'No leg of the order goes by what is to be replaced',
  scenario_no_such_packaging: 'The order has no packaging that is to be replaced',
  scenario_no_such_model: 'No device of the order is charged by the model that is to be replaced',
  scenario_not_in_release: 'The dataset release of the order, or of its device, does not have what takes the place',
  scenario_wrong_distance_basis: 'The distance basis that is stated for the leg does not exist for the other mode',
  scenario_tenure_too_long: 'A tenure would be longer than {max} months',
  scenario_extended_together: 'An event extends all devices of the order, and only some are of this type',
  scenario_event_contradicts: 'An event of the order could not have been recorded with the changed content',
  scenario_orders_outside_scope: 'The device has orders outside the scope, and it is one model in all of them',
  scenario_other_country: 'The devices of the order are used in another country',
  scenario_electricity_unknown: [
    'The use of the devices is counted by a share of their footprint, or not at all, because their electricity or ',
    'their country is not known',
  ],
})

/** What a scenario does not say. */
export const SCENARIO_NOTES = defineMessages({
  scenario_later_rentals_stay: [
    'Later rentals of the same device are not moved: where a longer rental overlaps the next one, it ends on the day ',
    'on which that starts',
  ],
  scenario_returns_stay:
    'Returns, cancellations and swaps stay on their days: only what has not ended by one is longer',
  scenario_distances_stay: 'Legs keep their distances and weights: a route by another mode may be longer',
  scenario_factor_is_certain: 'The stated factor of electricity counts as exact in the intervals',
})

/** Where the names of a customer remain after they were erased. */
export const INVENTORY_NOTES = defineMessages({
  inventory_beside_ledger: [
    'The lines of use in orders, reports and statements stay as they were posted: by place, with factors of years; ',
    'this inventory is calculated beside them and changes none of them',
  ],
})

export const ERASURE_NOTES = defineMessages({
  signed_copies_keep_names: [
    'Statements are not recorded when they are issued: signed statements, receipts, exports and answers outside the ',
    'service keep the old names',
  ],
  database_copies_keep_names: [
    'Backups keep the old names, and so do the files of the database and its WAL until PostgreSQL has vacuumed the ',
    'tables and reused the files',
  ],
})
