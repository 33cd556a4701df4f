// Product ids that were guessed or mapped, as the page asks for them, and what may be said of one.
import { useQuery, keepPreviousData } from '@tanstack/react-query'
import { api, read, readPage, type Schemas } from '../api/client.ts'
import { sumOfKilograms } from '../emissions/kilograms.ts'

export type Product = Schemas['ListedProduct']
export type State = Product['state']
export type DeviceType = NonNullable<Schemas['MappingParams']['device_type']>
export type Target = { readonly model_id: string } | { readonly device_type: DeviceType }
export type Sums = readonly Schemas['ProductStateSum'][]

/** What a part of the page needs that lets somebody say what a product id is. */
export interface DecideProps {
  readonly product: Product
  readonly mayDecide: boolean
  /** Null takes the mapping back; the name is how the notice calls what it is now. */
  readonly onDecide: (target: Target | null, name: string) => void
}

export const PRODUCTS_KEY = ['products'] as const

/** In the sequence of how little is known. */
export const OPEN_STATES = ['unmatched', 'variant', 'name', 'stale', 'was_mapped'] as const satisfies readonly State[]

const PAGE_ROWS = 10

export function useProducts(states: readonly State[], cursor: string | undefined) {
  const query = { limit: PAGE_ROWS, state: [...states], ...(cursor !== undefined && { cursor }) }
  return useQuery({
    queryKey: [...PRODUCTS_KEY, query],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => readPage(api.GET('/api/products', { params: { query }, signal })),
  })
}

export const useSums = () =>
  useQuery({
    queryKey: [...PRODUCTS_KEY, 'sums'],
    queryFn: ({ signal }) => read(api.GET('/api/product-states', { signal })),
  })

/** What the words of a product would be taken for now, were it not mapped. */
export const readMatch = ({ product_id, product_name, brand, device_type }: Product, signal?: AbortSignal) =>
  read(
    api.GET('/api/match', {
      params: {
        query: {
          product_id,
          ...(product_name !== undefined && { product_name }),
          ...(brand !== undefined && { brand }),
          ...(device_type !== undefined && { device_type: device_type as DeviceType }),
        },
      },
      ...(signal && { signal }),
    }),
  )

export const postedOn = (sums: Sums): number => sumOfKilograms(sums.map(({ posted_emission: posted }) => posted))

/** The mapping by which a product is charged from the next order on; null where it has none, or one without effect. */
export function targetOf({ mapping }: Product): Target | null {
  if (!mapping) return null
  if (mapping.device_type !== undefined) return { device_type: mapping.device_type }
  return mapping.model_id !== undefined && mapping.is_in_catalogue ? { model_id: mapping.model_id } : null
}
