// Recalculates the stored orders of a product id with the mappings of now.
import { useMessages } from '../i18n/language.tsx'
import { RestateButton } from '../restatements/restate-button.tsx'
import de from './messages.de.json'
import en from './messages.en.json'

/** An id may be as long as a reason. */
const ID_SHOWN_MAX = 150

export function RestateProduct({ productId: id }: { readonly productId: string }) {
  const t = useMessages({ en, de })
  const scope = { product_ids: [id] }
  return (
    <RestateButton
      label={t('restate')}
      name={t('restateOrdersOf', { id })}
      params={{
        scope,
        figures: { mappings: 'current' },
        reason: t('restateReason', { id: id.slice(0, ID_SHOWN_MAX) }),
      }}
    />
  )
}
