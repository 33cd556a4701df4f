// The address of a test's database as DATABASE_URL takes it.
import type { ConnectionSettings } from '../src/postgres/embedded/connection-file.ts'

export function urlOf({ host, port, user, password, database }: ConnectionSettings): string {
  const query = new URLSearchParams({ host, port: String(port) })
  return `postgres://${user}:${encodeURIComponent(password)}@localhost/${database}?${query.toString()}`
}
