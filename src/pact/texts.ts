// The sentences in product footprints.

export const PACT_TEXTS = {
  rentalName: (model: string): string => `Rental of one ${model}`,
  rentalDescription: ({ model, serial, orderId }: { model: string; serial: string; orderId: string }): string =>
    `The rental of one ${model} with the serial number ${serial} under the order ${orderId}, for its whole tenure.`,
  yearName: (year: number): string => `Device rentals of ${year}`,
  yearDescription: ({ customerId, year, devices }: { customerId: string; year: number; devices: number }): string =>
    `All device rentals of the customer ${customerId} in ${year}, as in the yearly statement, which lists ` +
    `${devices} devices.`,
  tooLarge:
    'The customer has more devices or orders, or emits more, than a yearly statement can have; footprints are made ' +
    'from statements',
  boundary:
    'Cradle to the gate of the rental service: the share of producing the device that its rental months bear, and ' +
    'the packaging of the order. Transport to the customer is stated apart. The electricity that the device uses at ' +
    'the customer is not included; the extension states it.',
  allocation:
    'The emission of producing a device is spread evenly over the months of its lifetime. Each rental bears its ' +
    'own months until the whole is allocated or, if the rental company chose so, also afterwards. Packaging and ' +
    'transport of an order are allocated to its devices by weight.',
  shipmentName: (orderId: string): string => `Shipment of the order ${orderId}`,
  shipmentDescription: ({ orderId, legs }: { orderId: string; legs: number }): string =>
    `The transport of the devices and packaging of the order ${orderId}, in ${legs} ${legs === 1 ? 'leg' : 'legs'}.`,
  noCategory: (transports: readonly string[]): string =>
    'Without data of iLEAP, for which all emission of a leg has to come from known energy carriers; it is not known ' +
    `from which that of these transports comes: ${transports.join('; ')}.`,
  transportBoundary:
    'Well-to-wheel: producing the fuel or electricity, and running the vehicles, with average loads and empty runs. ' +
    'Aligned with ISO 14083, and not audited.',
  transportExclusions: 'Hubs and handling between legs, and leaking refrigerants.',
  transportAllocation:
    'The emission of a leg is its mass times its distance times the intensity of its transport. If devices of the ' +
    'order were cancelled before they were dispatched, the leg has the share of the others by weight.',
} as const
