// What an order states besides its items: its days, its country, and labels of the client's own.
import { Rows } from '../estimate/rows.tsx'
import { useMessages } from '../i18n/language.tsx'
import {
  errorAt,
  hasRepeatedName,
  LABELS,
  fieldOfLabel,
  textOf,
  type Draft,
  type FieldErrors,
  type OrderMember,
} from './draft.ts'
import de from './messages.de.json'
import en from './messages.en.json'
import { CountryField, TextField, errorText } from './text-fields.tsx'

/** Changes what was filled in last. */
export type Change = (update: (draft: Draft) => Draft) => void

export interface OrderFieldsProps {
  readonly draft: Draft
  readonly change: Change
  readonly errors: FieldErrors
}

export function OrderFields({ draft: { texts }, change, errors }: OrderFieldsProps) {
  const t = useMessages({ en, de })
  const field = (member: OrderMember) => ({
    label: t(member),
    value: texts[member],
    error: errorText(errorAt(errors, member, texts[member])),
    onChange: (text: string) => change((before) => ({ ...before, texts: { ...before.texts, [member]: text } })),
  })
  return (
    <section className="card estimate-fields" aria-label={t('order')}>
      <h3>{t('order')}</h3>
      <div className="fields">
        <TextField {...field('order_date')} type="date" />
        <TextField {...field('tenure_start_date')} type="date" />
      </div>
      <CountryField {...field('country')} unstated={t('notStated')} />
    </section>
  )
}

export function LabelFields({ draft, change, errors }: OrderFieldsProps) {
  const t = useMessages({ en, de })
  const { labels } = draft
  const error = errorAt(errors, LABELS, textOf(labels))
  return (
    <section className="card estimate-fields" aria-label={t('metadata')}>
      <h3>{t('metadata')}</h3>
      <Rows
        rows={labels}
        onChange={(changed) => change((before) => ({ ...before, labels: changed }))}
        added={{ name: '', value: '' }}
        addLabel={t('addLabel')}
        nameOf={(number) => t('labelNo', { number })}
        removeLabelOf={(number) => t('removeLabel', { number })}
      >
        {(label, set, remove) => (
          <div className="fields">
            <TextField label={t('name')} value={label.name} error={null} onChange={(name) => set({ ...label, name })} />
            <div className="estimate-with-action">
              <TextField
                label={t('value')}
                value={label.value}
                error={errorText(errorAt(errors, fieldOfLabel(label.name), label.value))}
                onChange={(value) => set({ ...label, value })}
              />
              {remove}
            </div>
          </div>
        )}
      </Rows>
      {error && <p className="field-error">{errorText(error)}</p>}
      {hasRepeatedName(draft) && (
        <p className="field-error" role="status">
          {t('nameTwice')}
        </p>
      )}
    </section>
  )
}
