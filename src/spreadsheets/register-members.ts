// What is stated once for a file of devices that holds no orders.

/** What is stated for all devices of a file; a column of the file has precedence. */
export interface Register {
  readonly customer_id?: string
  readonly starts_on?: string
  readonly tenure_months?: number
  readonly weight_kg?: number
  readonly country?: string
}

/** The column that each member stands for. */
export const REGISTER_COLUMNS: Readonly<Record<keyof Register, string>> = {
  customer_id: 'customer_id',
  starts_on: 'tenure_start_date',
  tenure_months: 'tenure_months',
  weight_kg: 'weight_kg',
  country: 'country',
}
