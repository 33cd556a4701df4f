// A serial number that leads to the page of its device.
import { Link } from 'wouter'
import { pathOfDevice } from '../devices/device-path.ts'

export const DeviceLink = ({ serial }: { readonly serial: string | null | undefined }) =>
  serial ? <Link href={pathOfDevice(serial)}>{serial}</Link> : <span className="muted">–</span>
