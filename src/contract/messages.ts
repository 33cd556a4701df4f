// Messages about requests: what a value must be and what was sent, and why the database cannot process a request.
import { defineMessages, inSentence, type Message } from '../engine/message.ts'

/**
 * What is wrong in a request. `sent_…` name a value as it was sent, with its JSON type: in texts, quotes and control
 * characters are escaped as in JSON.
 */
export const REQUEST_MESSAGES = defineMessages({
  invalid_input: 'Invalid request: {problem}',
  invalid_inputs: 'Invalid request: {problem} (and {more} more in details)',
  problem_at: '{path}: {problem}',
  required: 'Is missing',
  required_value: 'Is missing: it {expected}',
  required_misnamed: 'Is missing (a member "{name}" was sent instead)',
  required_value_misnamed: 'Is missing: it {expected} (a member "{name}" was sent instead)',
  wrong_value: '{expected}; it is {sent}',
  sent_null: 'null',
  sent_nothing: 'missing',
  sent_array: 'an array',
  sent_object: 'an object',
  sent_boolean: '{value} (a boolean)',
  sent_number: '{value} (a number)',
  sent_text: '"{text}" (a string)',
  sent_long_text: '"{text}" (a string of {length} characters)',
  sent_parameter: '"{text}"',
  too_many_elements: 'Must be an array of at most {max} elements; it has {count}',
  too_many_members: 'Must be an object of at most {max} members; it has {count}',
  unknown_member: 'Is not known here; known members are {names}',
  day_in_future: 'Must be {last} or earlier, because the event records what has happened; it is {sent}',
  tenure_start_too_late: 'Must be {last} or earlier, which is {years} years ahead; it is {sent}',
  placeholder_serial_number: [
    '"{sent}" is a placeholder, not a serial number: all devices that are sent with it would count as one device. ',
    'Send the serial number of the device, or another text that identifies only this device, such as its asset tag',
  ],
  event_of_device: 'Is {type}, an event of a device: send its serial_number, without customer_id and order_id',
  name_repeated: 'Is already used at /alternatives/{position}; each alternative needs a name of its own',
  estimate_too_large: [
    'The order and its alternatives have {count} items together; ',
    'at most {max} can be estimated at a time, so send fewer items or alternatives',
  ],
  no_devices_to_change: 'The order has no devices to change',
  no_transportation_to_replace: 'The order has no transportation to replace',
  transportation_not_in_order: 'The order has no transportation "{sent}", and none with that mode',
  ambiguous_mode:
    'There are {count} transportations with the mode {mode}; send the id of one from GET /api/transportations',
  scenario_member_missing: 'Is missing: a change of the type {type} needs it',
  scenario_member_unexpected: 'Does not belong to a change of the type {type}, which has the members {names}',
  scenario_changes_nothing: 'Is what is to be replaced, "{to}": send what takes its place',
  scenario_ends_before: 'Must not be before from, which is {from}; it is {to}',
})

/**
 * What is probably wrong in an order or event that is accepted. An account may have them refused.
 */
export const WARNING_MESSAGES = defineMessages({
  implausible_weight: [
    'Is {weight_kg} kg, but a device like this weighs from {min_kg} to {max_kg} kg; send the weight of one device in ',
    'kilograms',
  ],
  implausible_tenure: 'Is {months} months; tenures of more than {max} months are unusual',
  implausible_distance: 'Is {distance_km} km; legs of more than {max} km are unusual. Send the distance in kilometres',
  transport_lighter_than_devices: [
    'All legs of transport together carry {transported_kg} kg, but the devices weigh {devices_kg} kg; send as the ',
    'weight of a leg what it carries, including packaging',
  ],
  stand_in_by_weight_alone: [
    'Only the weight of the product is known, so its footprint is calculated from the weight alone; send product_name ',
    'or device_type, or map the product id',
  ],
  emission_by_default: [
    'Is missing: the default of type:{type} counts, {emission_kg} kg CO2e ({low_kg} to {high_kg} kg), and is marked ',
    'as such; send what the refurbishment emitted if that is known',
  ],
  white_space_trimmed: 'Was sent with white space around it or in another Unicode form; it is used as "{used}"',
})

/** About an account's own figures. */
export const FIGURE_MESSAGES = defineMessages({
  figure_id_form: 'The id must be small letters, digits and single hyphens, at most {max} characters; it is "{id}"',
  figure_id_type: 'The type must be one of {types}; it is "{id}"',
  figure_id_grid: 'Must be a country and a year from 1990 on, like DE-2024; it is "{id}"',
  figure_id_month: 'Must be a country and a month from 1990 on, like DE-2025-03; it is "{id}"',
  figure_month: 'Must be a month from 1990 on, as YYYY-MM; it is "{month}"',
  figure_months_reversed: 'Must be {from} or later; it is {to}',
  figure_country: 'There is no country "{country}"',
  figure_covers_one: 'Exactly one of kwh and share says what it covers',
  figure_covers_one_year: 'Must be in {year}, as "from" is: kwh are of one calendar year. Send a figure for each year',
  figure_unit: 'Must be gCO2/kWh or gCO2e per kWh; it is "{unit}"',
  figure_table_without_months: 'Has no row with the variable "CO2 intensity" and a value for a country',
  figure_use_twice: 'Contradicts use_kg_co2e, which says the same; send one of the two',
  figure_without_total: 'Is missing: only a sheet with production alone may lack a total',
  figure_exceeds_total: 'Is more than the total leaves for it',
  figure_stages_exceed: 'Is less than its stages together, by more than 2 % of rounding',
  figure_unknown: 'The account has no figure "{id}" of its own here',
  figure_changed: '"{id}" has the ETag {etag} now',
  figure_gone: '"{id}" is not stored any more',
  figure_exists: [
    'The account already has a figure "{id}" with different content. Choose another id, or send If-Match with ',
    'the ETag {etag} to store a new version of it',
  ],
  figures_exist: [
    'The account already has {count} of these figures, with different content. Choose other ids, or send ',
    'new_versions=true to store new versions of them',
  ],
  figure_row_exists: 'A figure "{id}" with different content is already stored',
  figure_needs_reason: [
    'Is missing: {value} differs by more than 20 % from {other} of {id}. Check unit, decimal point and source; if it ',
    'is right, say why',
  ],
  figures_exceeded: 'An account has at most {max} figures of a kind; it has {count} now, and {added} would be added',
  figure_table_unreadable: 'Is not a CSV file in UTF-8 with a header and at least one row, of at most {max} MiB',
  figure_column_unknown: 'Is not a known column, or is there twice; known columns are {names}',
  figure_column_missing: 'There is no column "{name}"',
  figure_cells: 'Has {count} cells where the header has {expected}',
  figure_repeated: 'Is already on line {line}',
})

/** What a value must be. */
export const EXPECTED = defineMessages({
  expected_constant: 'Must be "{value}"',
  expected_choice: 'Must be one of {choices}',
  expected_number: 'Must be a number from {min} to {max}',
  expected_number_above: 'Must be a number greater than {min} and at most {max}',
  expected_integer: 'Must be a whole number from {min} to {max}',
  expected_boolean: 'Must be true or false',
  expected_array: 'Must be an array of at most {max} elements',
  expected_member: 'Must have at least one member',
  expected_members: 'Must be an object of at most {max} members',
  expected_object: 'Must be an object',
  expected_other_form: 'Must be of another form',
  expected_day: 'Must be a calendar day that exists, as YYYY-MM-DD',
  expected_country: 'Must be an ISO 3166-1 alpha-2 country code in capitals, like "DE"',
  expected_text: 'Must be a string of {min} to {max} characters without control characters',
  expected_string: 'Must be a string',
})

export const DATABASE_MESSAGES = defineMessages({
  database_unavailable: [
    'The database cannot be reached, or too many requests are waiting; send the same request again, which also shows ',
    'whether anything was stored',
  ],
  database_slow: [
    'The database took too long, so the request was abandoned; ask for less, or send the same request again, which ',
    'also shows whether anything was stored',
  ],
  database_full: 'The disk of the database is full, and nothing was stored; send it again once there is room',
  database_read_only: 'The database is read-only at present, and nothing was stored; send the request again later',
})

const SHOWN_CHARACTERS_MAX = 40

/** A text as JSON writes it between the quotes, shortened. */
const escaped = (text: string): string =>
  JSON.stringify(text.length > SHOWN_CHARACTERS_MAX ? `${text.slice(0, SHOWN_CHARACTERS_MAX)}…` : text).slice(1, -1)

/** A value as it was sent in a body: strings shortened, each with its JSON type. */
function sentValue(value: unknown): Message {
  if (value === null) return REQUEST_MESSAGES.sent_null()
  if (value === undefined) return REQUEST_MESSAGES.sent_nothing()
  if (Array.isArray(value)) return REQUEST_MESSAGES.sent_array()
  if (typeof value === 'object') return REQUEST_MESSAGES.sent_object()
  if (typeof value === 'number') return REQUEST_MESSAGES.sent_number({ value })
  if (typeof value !== 'string') return REQUEST_MESSAGES.sent_boolean({ value: JSON.stringify(value) })
  return value.length > SHOWN_CHARACTERS_MAX
    ? REQUEST_MESSAGES.sent_long_text({ text: escaped(value), length: [...value].length })
    : REQUEST_MESSAGES.sent_text({ text: escaped(value) })
}

/** A value of a body is not what it must be. */
export const wrongValue = (expected: Message, sent: unknown): Message =>
  REQUEST_MESSAGES.wrong_value({ expected, sent: sentValue(sent) })

/** A query parameter, which is always a string, is not what it must be. */
export const wrongParameter = (expected: Message, sent: string): Message =>
  REQUEST_MESSAGES.wrong_value({ expected, sent: REQUEST_MESSAGES.sent_parameter({ text: escaped(sent) }) })

/**
 * A required member is missing.
 * @param expected what it must be; null to leave that out
 * @param instead an unknown member that was probably sent instead; null if there is none
 */
export function missingValue(expected: Message | null, instead: string | null): Message {
  const name = instead?.slice(0, SHOWN_CHARACTERS_MAX) ?? null
  if (expected === null)
    return name === null ? REQUEST_MESSAGES.required() : REQUEST_MESSAGES.required_misnamed({ name })
  const value = { expected: inSentence(expected) }
  return name === null
    ? REQUEST_MESSAGES.required_value(value)
    : REQUEST_MESSAGES.required_value_misnamed({ ...value, name })
}
