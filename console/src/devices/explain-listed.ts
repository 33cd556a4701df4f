// Why the figures of a device in the list are what they are; its own page has them event by event.
import type { Schemas } from '../api/client.ts'
import type { Explanation } from '../components/explanation.ts'
import type { Format } from '../i18n/format.ts'
import type { MessageFormatter } from '../i18n/language.tsx'
import type en from './messages.en.json'
import { KG } from '../emissions/kilograms.ts'
import { pathOfDevice } from './device-path.ts'
import { nameOfFootprint } from './footprint-name.ts'

export type ListedFigure = 'embodied_total' | 'remaining' | 'total_emission'

export function explainListed(
  device: Schemas['ListedDevice'],
  figure: ListedFigure,
  name: string,
  t: MessageFormatter<keyof typeof en>,
  { told }: Format,
): Explanation {
  const { embodied_total: embodiedTotal, allocated, unallocated: writtenOff, remaining } = device
  const input = (symbol: string, name: string, value: number) => ({ symbol, name, value, unit: KG, from: '' })
  const path = pathOfDevice(device.serial_number)
  const shared = {
    title: `${device.serial_number}: ${name}`,
    unit: KG,
    methodology: 'METHODOLOGY.md#ledger',
    links: [{ path, label: t('toDevice') }],
    call: `/api/device-emissions/${encodeURIComponent(device.serial_number)}?include=entries,history`,
  }
  if (figure === 'embodied_total')
    return { ...shared, value: embodiedTotal, notes: [t('embodiedNote', { name: told(nameOfFootprint(device)) })] }
  if (figure === 'total_emission')
    return { ...shared, value: device.total_emission, notes: [t('totalNote', { count: device.number_of_orders })] }
  return {
    ...shared,
    value: remaining,
    formula: `E − A${writtenOff === 0 ? '' : ' − W'}`,
    inputs: [
      input('E', t('embodied_total'), embodiedTotal),
      input('A', t('allocated'), allocated),
      ...(writtenOff === 0 ? [] : [input('W', t('writtenOff'), writtenOff)]),
    ],
  }
}
