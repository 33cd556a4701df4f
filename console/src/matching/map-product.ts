// Saying what a product id is, and taking it back: done at once, told by a notice that can undo it.
import { whyOf } from '../api/problem.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api, read } from '../api/client.ts'
import { useToast } from '../components/toast.tsx'
import { useFormat } from '../i18n/format.ts'
import { useMessages } from '../i18n/language.tsx'
import de from './messages.de.json'
import en from './messages.en.json'
import { PRODUCTS_KEY, targetOf, type Product, type Target } from './products.ts'

interface Decision {
  readonly product: Product
  /** Null takes the mapping back. */
  readonly target: Target | null
  /** How the notice calls it. */
  readonly name: string
}

const send = (productId: string, target: Target | null) => {
  const params = { path: { product_id: productId } }
  return target === null
    ? read(api.DELETE('/api/products/{product_id}', { params }))
    : read(api.PUT('/api/products/{product_id}', { params, body: target }))
}

/** @param onDone is called when the list is about to change, as what was pressed goes away with its card */
export function useMapProduct(onDone: (productId: string) => void) {
  const t = useMessages({ en, de })
  const { told } = useFormat()
  const toast = useToast()
  const client = useQueryClient()
  const refresh = () => client.invalidateQueries({ queryKey: PRODUCTS_KEY })
  const undo = useMutation({
    mutationFn: ({ product }: Decision) => send(product.product_id, targetOf(product)),
    onSuccess: async (_, { product: { product_id: id } }) => {
      onDone(id)
      await refresh()
      toast(t('undone', { id }))
    },
    onError: (problem) => toast(t('notUndone'), told(whyOf(problem))),
  })
  return useMutation({
    mutationFn: ({ product, target }: Decision) => send(product.product_id, target),
    onSuccess: async (_, decision) => {
      const { product, target, name } = decision
      toast(t(target === null ? 'mappingRemoved' : 'mappedTo', { id: product.product_id, name }), t('fromNextOrder'), {
        label: t('undo'),
        onAction: () => undo.mutate(decision),
      })
      onDone(product.product_id)
      await refresh()
    },
  })
}
