// What a restatement is of, by which figures, and its state, in words.
import { useFormat } from '../i18n/format.ts'
import { useMessages } from '../i18n/language.tsx'
import de from './messages.de.json'
import en from './messages.en.json'
import type { Restatement, RestatementParams, State } from './use-restatements.ts'

export function StateTag({ state }: { readonly state: State }) {
  const t = useMessages({ en, de })
  return (
    <span className="tag restatement-tag" data-state={state}>
      {t(`state-${state}`)}
    </span>
  )
}

/** @returns what names the orders and the figures of a restatement, each as a phrase */
export function useDescription(): (one: Pick<Restatement, 'scope' | 'figures'>) => {
  readonly orders: string
  readonly figures: string
} {
  const t = useMessages({ en, de })
  const { day } = useFormat()
  const listed = (name: 'products' | 'models' | 'devices', ids: readonly string[] | undefined) =>
    ids === undefined ? [] : [t(`of-${name}`, { count: ids.length, ids: shortened(ids) })]
  const ordersOf = (scope: RestatementParams['scope']): string => {
    const { tenure_start_from: from, import_id: importId } = scope
    const phrases = [
      ...listed('products', scope.product_ids),
      ...listed('models', scope.model_ids),
      ...listed('devices', scope.serial_numbers),
      ...(importId === undefined ? [] : [t('of-import', { id: String(importId) })]),
      ...(from === undefined ? [] : [t('of-from', { day: day(from) })]),
    ]
    return phrases.length === 0 ? t('of-all') : phrases.join(' · ')
  }
  const figuresOf = ({ before_restatement: undone, mappings, own, release }: RestatementParams['figures']): string =>
    [
      ...(undone === undefined ? [] : [t('by-undo', { id: String(undone) })]),
      ...(release === undefined ? [] : [t('by-release', { release })]),
      ...(own === undefined ? [] : [t('by-own')]),
      ...(mappings === undefined ? [] : [t('by-mappings')]),
    ].join(' · ')
  return ({ scope, figures }) => ({ orders: ordersOf(scope), figures: figuresOf(figures) })
}

const SHOWN_MAX = 3

/** A list of a thousand ids would be a page of its own. */
const shortened = (ids: readonly string[]): string =>
  ids.length <= SHOWN_MAX ? ids.join(', ') : `${ids.slice(0, SHOWN_MAX).join(', ')}, …`
