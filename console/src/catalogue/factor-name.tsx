// What a transport or a packaging is called, and below it the id that an order names it by.
import { Tell, said } from '../i18n/service-text.tsx'

export const FactorName = ({ name, id }: { readonly name: string; readonly id: string }) => (
  <>
    <Tell text={said(name)} />
    <br />
    <code className="muted">{id}</code>
  </>
)
