// Where devices are shown: the list of some, or the page of one, whose serial number may hold any character.

export const pathOfDevice = (serial: string): string => `/devices/${encodeURIComponent(serial)}`

/** Where the API has the passport of a device. */
export const passportOf = (serial: string): string => `/api/devices/${encodeURIComponent(serial)}/passport`

/**
 * @param path as the window has it: the router's own has some of its characters decoded already
 * @returns null where it names no device
 */
export function serialOfPath(path: string): string | null {
  const [, encoded] = /^\/devices\/([^/]+)\/?$/.exec(path) ?? []
  try {
    return encoded === undefined ? null : decodeURIComponent(encoded)
  } catch {
    return null
  }
}

/** As the API calls them; by serial number where none is chosen. */
export const DEVICE_SORTS = ['-total_emission', 'total_emission'] as const

/** What the list is filtered by, '' for what is not set. */
export type DeviceFilters = Readonly<Record<'serial' | 'customer' | 'model' | 'sort', string>>

/** The list of these devices, the heaviest first. */
export const topDevices = (filters: Partial<Pick<DeviceFilters, 'customer' | 'model'>> = {}): string =>
  `/devices?${new URLSearchParams({ ...filters, sort: DEVICE_SORTS[0] }).toString()}`
