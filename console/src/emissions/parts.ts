// The parts of an order's emission on charts: their names, and how each looks everywhere.
import type { Series } from '../charts/theme.ts'
import { useMessages } from '../i18n/language.tsx'
import de from './messages.de.json'
import en from './messages.en.json'

export const PARTS = ['product_embodied_emission', 'product_use', 'transportation', 'packaging'] as const
export type Part = (typeof PARTS)[number]

export const LOOK_OF = {
  product_embodied_emission: 'make',
  product_use: 'use',
  transportation: 'transport',
  packaging: 'packaging',
} as const

export function usePartSeries(): readonly Series[] {
  const t = useMessages({ en, de })
  return PARTS.map((part) => ({ key: part, label: t(part), look: LOOK_OF[part] }))
}

export const ESTIMATE_TYPES = ['estimated', 'indicative'] as const

export function useEstimateSeries(): readonly Series[] {
  const t = useMessages({ en, de })
  return ESTIMATE_TYPES.map((type) => ({ key: type, label: t(type), look: type === 'estimated' ? 'total' : 'rest' }))
}
