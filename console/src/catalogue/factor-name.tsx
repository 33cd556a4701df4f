// What a transport or a packaging is called, and below it the id that an order names it by.
import { OwnTag } from './own-tag.tsx'
import { Tell } from '../i18n/service-text.tsx'
import type { ServiceMessage } from '../service-texts/messages.ts'

export interface FactorNameProps {
  readonly name: ServiceMessage
  readonly id: string
  readonly origin: 'account' | 'catalogue'
}

export const FactorName = ({ name, id, origin }: FactorNameProps) => (
  <>
    {origin === 'account' ? name.message : <Tell text={name} />} <OwnTag origin={origin} />
    <br />
    <code className="muted">{id}</code>
  </>
)
