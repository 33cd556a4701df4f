// What a transport or a packaging is called, and below it the id that an order names it by.
import { Tell } from '../i18n/service-text.tsx'
import type { ServiceMessage } from '../service-texts/messages.ts'

export const FactorName = ({ name, id }: { readonly name: ServiceMessage; readonly id: string }) => (
  <>
    <Tell text={name} />
    <br />
    <code className="muted">{id}</code>
  </>
)
