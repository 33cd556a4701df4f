// Where the page of a device is: serial numbers may hold any character.

export const pathOfDevice = (serial: string): string => `/devices/${encodeURIComponent(serial)}`

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
