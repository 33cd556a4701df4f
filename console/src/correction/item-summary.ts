// An item of an order in a few words: which device for how long, or which transport how far.
import { useFormat } from '../i18n/format.ts'
import { useMessages } from '../i18n/language.tsx'
import type { Kind, Texts } from './draft.ts'
import de from './messages.de.json'
import en from './messages.en.json'

export function useItemSummary(): (texts: Texts) => string {
  const t = useMessages({ en, de })
  const { full } = useFormat()
  const counted = (text: string | undefined, say: (value: number) => string) =>
    text === undefined || text === '' ? '' : say(Number(text))
  return (texts) =>
    [
      texts.serial_number,
      texts.product_name || texts.product_id,
      texts.transportation_id,
      texts.packaging_id,
      counted(texts.tenure_months, (count) => t('monthsOf', { count })),
      counted(texts.distance_km, (km) => `${full(km)} km`),
      counted(texts.weight_kg, (kg) => `${full(kg)} kg`),
    ]
      .filter((part) => part !== undefined && part !== '')
      .join(' · ')
}

/** @returns what an item of a kind is called, with its number in the order, from 1 on */
export function useItemName(): (kind: Kind, number: number) => string {
  const t = useMessages({ en, de })
  return (kind, number) => t(`${kind}No`, { number })
}
