// Messages about orders and events: names that are unknown, values that contradict each other, impossible events.
import { defineMessages } from './message.ts'

export const ORDER_MESSAGES = defineMessages({
  blank: 'Must be more than white space',
  day_out_of_range: 'Must be from {first} to {last}; it is {sent}',
  device_repeated: 'Is already used at /items/{position}; an order can have each device only once',
  unknown_country: '"{country}" is not an ISO 3166-1 alpha-2 country code',
  unknown_model: 'There is no device model "{model_id}"; GET /api/device-model-emissions lists all',
  unknown_transportation: 'There is no transportation "{transportation_id}"; GET /api/transportations lists all',
  no_transportation:
    '"{transportation_id}" names no transport: state none if the customer fetches the devices, ' +
    'else the vehicle that drives them; GET /api/transportations lists all',
  unknown_packaging: 'There is no packaging "{packaging_id}"; GET /api/packagings lists all',
  wrong_mode: 'The mode of "{transportation_id}" is {mode}, not "{sent}"',
  wrong_distance_basis: 'A distance by {mode} is stated as one of {bases}, not as {sent}',
})

export const EVENT_MESSAGES = defineMessages({
  device_gone: 'The device was {type} on {date}',
  refurbishments_exhausted: 'The device was already refurbished {max} times, the maximum',
  lifetime_exhausted: 'The device has no months of its lifetime left; send how many months the refurbishment added',
  refurbishment_without_default:
    'Is missing, and no default stands in for it: the type of the device has none, or is not known',
  device_rented_later: 'The order "{order_id}" of "{customer_id}" rents the device from {start}; it was not {type}',
  rental_not_started: 'The rental of the device starts on {start}, after {date}',
  rental_over: 'The rental ended on {end}; there is nothing to swap',
  rental_cut: 'The device {end}',
  rental_cut_before: 'The device {end}, before {date}',
  rental_cut_not_extendable: 'The device {end}; it cannot be extended',
  extension_too_short: 'Must be more than the {months} months already agreed in total',
  cancellation_too_late:
    'The tenure starts on {start}: an order can be cancelled only before that day, and returned from that day on',
  cancellation_of_goods_too_late: 'The tenure starts on {start}: an order can be cancelled only before that day',
  order_begun: 'The order has begun: "{serial_number}" was returned or swapped',
  order_begun_by_swap: 'The order has begun: a device of it was swapped',
  order_without_devices: 'The order has no devices',
  order_cancelled: 'The order was cancelled',
  devices_returned: 'All devices of the order were already returned',
  serial_number_required: 'Is missing: the order has {count} devices',
  device_not_in_order: '"{serial_number}" is not a device of this order',
  device_already_in_order: '"{serial_number}" is already in this order',
  device_returned: '"{serial_number}" was already returned',
  device_cancelled: '"{serial_number}" was cancelled',
  device_reversed: '"{serial_number}" was cancelled with its import',
  device_swapped: '"{serial_number}" was swapped for another device',
  device_not_rented: '"{serial_number}" is no longer rented',
  event_not_of_order: '"{event_id}" is not an event of this order',
  event_not_of_device: '"{event_id}" is not an event of this device',
  identified_already: 'The device is already charged by "{footprint_id}" of the release {release}',
  identified_by_one: 'Either model_id or device_type has to be stated, not both',
  weight_of_type_missing: 'Is missing: without a model, the footprint depends on the weight',
  event_withdrawn: '"{event_id}" was already withdrawn',
  event_undone: '"{event_id}" was undone with the import of the order; the order was sent again without it',
  withdrawal_final: '"{event_id}" is a withdrawal; send the event that it withdrew again, with another event_id',
  event_needed: 'The event "{event_id}" depends on it and has to be withdrawn first. Without it: {problem}',
  withdrawals_exhausted: 'The order already has {max} withdrawals, the maximum',
  import_undone: 'The import that stored the order was undone',
  replacement_gone: '"{serial_number}" was {type} on {date}',
  replacement_rented: '"{serial_number}" is rented under the order "{order_id}" of "{customer_id}" on {date}',
})

/** How a rental ended, to continue a sentence that begins with the device. */
export const RENTAL_END_MESSAGES = defineMessages({
  end_by_return: 'was back on {date}',
  end_by_event: 'was {type} on {date}',
  end_by_order: 'went out under the order "{order_id}" of "{customer_id}" on {date}',
})

/** Why a part has its scope and category, and what reports exclude. Statements have the first ones of the lessee. */
export const BOUNDARY_MESSAGES = defineMessages({
  reason_share_of_device: 'The share of the device that comes with the service bought.',
  reason_finance_lease: 'A finance lease is a purchase: in full in its first year.',
  reason_owner: 'The owner reports a device in full when it is bought; under category 1 instead if bought for resale.',
  reason_refurbishment: 'A bought refurbishment; what an own workshop burns and draws is scope 1 and 2 instead.',
  reason_lessee_operates: 'The lessee operates the device, so its electricity is bought by the lessee.',
  reason_lessee_owns: 'Under a finance lease the device is the lessee’s own.',
  reason_lessee_without_control: 'The lessee does not control the device financially: it is the lessor’s.',
  reason_lessor_controls: 'The lessor keeps financial control of the device that it lets.',
  reason_lessee_controls: 'The lessee controls the device that the lessor has let.',
  reason_transport_bought: 'Transport to the customer, paid by the rental company as part of the service.',
  reason_transport_paid: 'Transport that the rental company pays for; category 9 instead where the customer pays.',
  reason_packaging_of_service:
    'Production of packaging that comes with the service bought; its end of life is not in the figure.',
  reason_packaging_bought:
    'Production of packaging that is bought; its end of life (category 12) is not in the figure.',
  excluded_scopes:
    'Scope 1, losses in electricity grids (category 3), and what became of packaging (categories 5 and 12).',
  excluded_posted:
    'The embodied emissions that were posted: each device is counted whole, in the month of its first rental.',
  excluded_not_rented: 'What a device was not rented out for: it stays with its owner.',
})
