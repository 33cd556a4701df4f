// A serial number that leads to the story of its device.
import { Link } from 'wouter'

export const DeviceLink = ({ serial }: { readonly serial: string | null | undefined }) =>
  serial ? <Link href={`/devices/${encodeURIComponent(serial)}`}>{serial}</Link> : <span className="muted">–</span>
