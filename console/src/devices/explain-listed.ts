// Why the figures of a device in the list are what they are; its own page has them event by event.
import type { Schemas } from '../api/client.ts'
import type { Explanation } from '../components/explanation.ts'
import type { Format } from '../i18n/format.ts'
import type { Say } from '../i18n/language.tsx'
import type en from './messages.en.json'
import { KG } from '../emissions/kilograms.ts'
import { pathOfDevice } from './device-path.ts'

export type ListedFigure = 'embodied_total' | 'remaining' | 'total_emission'

export function explainListed(
  device: Schemas['ListedDevice'],
  figure: ListedFigure,
  name: string,
  say: Say<keyof typeof en>,
  { told: toldByService }: Format,
): Explanation {
  const { embodied_total: putIn, allocated: given, unallocated: kept, remaining } = device
  const input = (symbol: string, name: string, value: number) => ({ symbol, name, value, unit: KG, from: '' })
  const path = pathOfDevice(device.serial_number)
  const told = {
    title: `${device.serial_number}: ${name}`,
    unit: KG,
    methodology: 'METHODOLOGY.md#ledger',
    links: [{ path, label: say('toDevice') }],
    call: `/api/device-emissions/${encodeURIComponent(device.serial_number)}?include=entries,history`,
  }
  if (figure === 'embodied_total')
    return { ...told, value: putIn, notes: [say('putInNote', { name: toldByService(device.name) })] }
  if (figure === 'total_emission')
    return { ...told, value: device.total_emission, notes: [say('totalNote', { count: device.number_of_orders })] }
  return {
    ...told,
    value: remaining,
    formula: `P − G${kept === 0 ? '' : ' − K'} = L`,
    inputs: [
      input('P', say('embodied_total'), putIn),
      input('G', say('charged'), given),
      ...(kept === 0 ? [] : [input('K', say('kept'), kept)]),
    ],
  }
}
