// The transports and packagings that an order may name: asked for once, whichever page needs them.
import { useQuery } from '@tanstack/react-query'
import type { ServiceMessage } from '../service-texts/messages.ts'
import { api, read, type Schemas } from './client.ts'

export const useTransports = () =>
  useQuery({
    queryKey: ['transports'],
    queryFn: ({ signal }) => read(api.GET('/api/transportations', { signal })),
  })

export const usePackagings = () =>
  useQuery({
    queryKey: ['packagings'],
    queryFn: ({ signal }) => read(api.GET('/api/packagings', { signal })),
  })

/** Names of the catalogue have translations by id, materials by name; own figures have neither. */
export const transportName = ({
  transportation_id: id,
  name,
  origin,
}: Pick<Schemas['Transportation'], 'transportation_id' | 'name' | 'origin'>): ServiceMessage => ({
  message: name,
  ...(origin === 'catalogue' && { code: `transportation:${id}` }),
})

export const packagingName = ({
  packaging_id: id,
  name,
  origin,
}: Pick<Schemas['Packaging'], 'packaging_id' | 'name' | 'origin'>): ServiceMessage => ({
  message: name,
  ...(origin === 'catalogue' && { code: `packaging:${id}` }),
})

export const materialName = ({ material }: Pick<Schemas['Packaging'], 'material'>): ServiceMessage => ({
  message: material,
  code: `material:${material}`,
})
