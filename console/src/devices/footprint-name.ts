// What a footprint of a device is called: a model, or a fallback, which has a message.
import type { Schemas } from '../api/client.ts'
import type { ServiceText } from '../i18n/service-text.tsx'

export const nameOfFootprint = ({
  name,
  name_message: reference,
}: Pick<Schemas['ListedDevice'], 'name' | 'name_message'>): ServiceText =>
  reference ? { message: name, ...reference } : name
