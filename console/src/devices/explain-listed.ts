// Why the figures of a device in the list are what they are; its own page has them chapter by chapter.
import type { Schemas } from '../api/client.ts'
import type { Explanation } from '../components/explanation.ts'
import type { Format } from '../i18n/format.ts'
import type { Say } from '../i18n/language.tsx'
import type en from './messages.en.json'
import { KG } from '../emissions/kilograms.ts'
import { pathOfDevice } from './device-path.ts'

export type ListedFigure = 'put_in' | 'left' | 'total_emission'

export function explainListed(
  device: Schemas['ListedDevice'],
  figure: ListedFigure,
  name: string,
  say: Say<keyof typeof en>,
  { told: toldByService }: Format,
): Explanation {
  const { put_in: putIn, given_to_orders: given, unallocated_residual: kept, left } = device
  const input = (symbol: string, name: string, value: number) => ({ symbol, name, value, unit: KG, from: '' })
  const path = pathOfDevice(device.serial_number)
  const told = {
    title: `${device.serial_number}: ${name}`,
    unit: KG,
    methodology: 'METHODOLOGY.md#ledger',
    links: [{ path, label: say('toDevice') }],
    call: `/api/device-emissions/${encodeURIComponent(device.serial_number)}?include=entries,story`,
  }
  if (figure === 'put_in')
    return { ...told, value: putIn, notes: [say('putInNote', { name: toldByService(device.name) })] }
  if (figure === 'total_emission')
    return { ...told, value: device.total_emission, notes: [say('totalNote', { count: device.number_of_orders })] }
  return {
    ...told,
    value: left,
    formula: `P − G${kept === 0 ? '' : ' − K'} = L`,
    inputs: [
      input('P', say('put_in'), putIn),
      input('G', say('charged'), given),
      ...(kept === 0 ? [] : [input('K', say('kept'), kept)]),
    ],
  }
}
