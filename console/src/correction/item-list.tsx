// The items of an order: each opened to be changed, dropped, and others added.
import { memo, useCallback, useId, useRef, useState } from 'react'
import { useMessages } from '../i18n/language.tsx'
import type { Draft, DraftItem, FieldErrors, Kind, Texts } from './draft.ts'
import { ItemFields, type ItemLists } from './item-fields.tsx'
import { useItemName, useItemSummary } from './item-summary.ts'
import de from './messages.de.json'
import en from './messages.en.json'
import type { Change } from './order-fields.tsx'

const ITEMS_MAX = 1000
/** Of longer orders the items are opened one by one: a thousand forms would be slow. */
const OPEN_ITEMS_MAX = 6

/** What an item that is added begins with. */
const ADDED: Readonly<Record<Kind, Texts>> = {
  product: {},
  transportation: { transportation_id: 'road-van-diesel', transportation_mode: 'road' },
  packaging: { packaging_id: 'corrugated-board-recycled' },
}
const KINDS = ['product', 'transportation', 'packaging'] as const

export interface ItemListProps extends ItemLists {
  readonly items: readonly DraftItem[]
  readonly change: Change
  readonly errors: FieldErrors
}

export function ItemList({ items, change, errors, transports, packagings }: ItemListProps) {
  const t = useMessages({ en, de })
  // Those that were there at first, and those that were added.
  const [read] = useState(() => (items.length > OPEN_ITEMS_MAX ? items.length : 0))
  // What is dropped takes its button along: the focus goes to where it can be added again.
  const add = useRef<HTMLButtonElement>(null)
  const drop = useCallback(
    (key: number) => {
      change((draft) => ({ ...draft, items: draft.items.filter((one) => one.key !== key) }))
      add.current?.focus()
    },
    [change],
  )
  return (
    <section className="section" aria-label={t('items')}>
      <h3>{t('items')}</h3>
      {items.length === 0 && <p className="muted">{t('noItems')}</p>}
      <div className="pair">
        {items.map((item, at) => (
          <Item
            key={item.key}
            item={item}
            number={at + 1}
            isOpenAtFirst={item.key >= read}
            errors={errors}
            change={change}
            drop={drop}
            transports={transports}
            packagings={packagings}
          />
        ))}
      </div>
      <div className="row">
        {KINDS.map((kind) => (
          <button
            key={kind}
            ref={kind === 'product' ? add : undefined}
            type="button"
            className="button"
            disabled={items.length >= ITEMS_MAX}
            onClick={() => change((draft) => withAdded(draft, kind))}
          >
            {t(`${kind}Add`)}
          </button>
        ))}
      </div>
    </section>
  )
}

const withAdded = (draft: Draft, type: Kind): Draft => ({
  ...draft,
  items: [...draft.items, { key: draft.nextKey, type, texts: ADDED[type] }],
  nextKey: draft.nextKey + 1,
})

const withTexts = (draft: Draft, key: number, changed: Texts): Draft => ({
  ...draft,
  items: draft.items.map((one) => (one.key === key ? { ...one, texts: { ...one.texts, ...changed } } : one)),
})

interface ItemProps extends ItemLists {
  readonly item: DraftItem
  readonly number: number
  readonly isOpenAtFirst: boolean
  readonly errors: FieldErrors
  readonly change: Change
  readonly drop: (key: number) => void
}

/** Only what changes is drawn again. */
const Item = memo(function Item({ item, number, isOpenAtFirst, errors, change, drop, ...lists }: ItemProps) {
  const t = useMessages({ en, de })
  const nameOf = useItemName()
  const summaryOf = useItemSummary()
  const id = useId()
  const [wasOpened, setOpened] = useState(isOpenAtFirst)
  const isOpen = wasOpened || [...errors.at.keys()].some((field) => field.startsWith(`${item.key}/`))
  const name = nameOf(item.type, number)
  return (
    <section className="card estimate-fields correction-item" aria-labelledby={id}>
      <div className="row row-apart">
        <h4 id={id}>{name}</h4>
        <div className="row">
          {!isOpen && (
            <button
              type="button"
              className="button button-small"
              aria-label={t('editItem', { name })}
              onClick={() => setOpened(true)}
            >
              {t('edit')}
            </button>
          )}
          <button
            type="button"
            className="button button-small"
            aria-label={t('dropItem', { name })}
            onClick={() => drop(item.key)}
          >
            {t('drop')}
          </button>
        </div>
      </div>
      {isOpen ? (
        <ItemFields
          item={item}
          errors={errors}
          set={(changed) => change((draft) => withTexts(draft, item.key, changed))}
          {...lists}
        />
      ) : (
        <p className="correction-summary">{summaryOf(item.texts)}</p>
      )}
    </section>
  )
})
