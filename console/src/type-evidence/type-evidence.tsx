// What told the type of a device whose model is not known: a word of its name, its line, its parts, or its maker.
import type { Schemas } from '../api/client.ts'
import { useMessages } from '../i18n/language.tsx'
import { TYPES, useTypeName } from '../emissions/label-names.ts'
import de from './messages.de.json'
import en from './messages.en.json'

export function TypeEvidence({ evidence }: { readonly evidence: Schemas['TypeEvidence'] }) {
  const t = useMessages({ en, de })
  const typeName = useTypeName()
  const { type, by, words } = evidence
  const name = TYPES.some((one) => one === type) ? typeName(type) : t('otherEquipment')
  return (
    <span className="muted">
      {t('typeTold', { type: name })} {words === undefined ? t(`toldBy_${by}`) : t('toldByWords', { words })}
    </span>
  )
}
