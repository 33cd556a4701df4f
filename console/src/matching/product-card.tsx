// A product id that was guessed: what hangs on it, how it was found, and what it may be, chosen by one press.
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useValueNames } from '../api-values/api-values.ts'
import { Figure } from '../components/figure.tsx'
import { KG } from '../emissions/kilograms.ts'
import { TYPES, useLabelNames, useTypeName } from '../emissions/label-names.ts'
import { isStandIn } from '../emissions/model-names.ts'
import { TypeEvidence } from '../type-evidence/type-evidence.tsx'
import { useFormat } from '../i18n/format.ts'
import { useMessages } from '../i18n/language.tsx'
import { Candidates } from './candidates.tsx'
import { explainProduct } from './explain-product.ts'
import de from './messages.de.json'
import en from './messages.en.json'
import { OtherModel } from './other-model.tsx'
import { RestateProduct } from './restate-product.tsx'
import { readMatch, type DecideProps, type DeviceType, type Product } from './products.ts'

export interface ProductCardProps extends DecideProps {
  /** The kilograms of all product ids of the list. */
  readonly whole: number
}

export function ProductCard({ whole, ...deciding }: ProductCardProps) {
  const t = useMessages({ en, de })
  const format = useFormat()
  const valueName = useValueNames()
  const { product } = deciding
  const { product_id: id, state, posted_emission: posted, number_of_devices: devices } = product
  return (
    <li className="card matching-product">
      <div className="matching-top">
        <div>
          <h3>{id}</h3>
          <p>
            <span className="tag">{t(state)}</span> {t(`${state}Why`)}
          </p>
        </div>
        <p className="matching-weight">
          <Figure value={posted} unit={KG} showsUnit why={() => explainProduct(product, t, valueName, format)} />
          <span className="muted">
            {t('devices', { count: devices })}
            {whole > 0 && ` · ${t('ofAll', { share: format.percent(posted / whole) })}`}
          </span>
        </p>
      </div>
      <Facts {...product} />
      {state === 'mapped' ? (
        <Mapped {...deciding} />
      ) : (
        <>
          <Candidates {...deciding} />
          <More {...deciding} />
        </>
      )}
    </li>
  )
}

function Facts(product: Product) {
  const { product_name: name, brand, device_type: type, footprint_id: footprints } = product
  const t = useMessages({ en, de })
  const typeName = useTypeName()
  const nameOf = useLabelNames()
  const words = [name, brand, type && typeName(type)].filter((word) => word !== undefined)
  return (
    <dl className="facts matching-facts">
      <div>
        <dt>{t('words')}</dt>
        <dd>{words.length > 0 ? words.join(' · ') : <span className="muted">{t('noWords')}</span>}</dd>
      </div>
      {footprints.length > 0 && (
        <div>
          <dt>{t('footprintUsed')}</dt>
          <dd>
            {footprints.map((basis, at) => (
              <span key={basis}>
                {at > 0 && ', '}
                {isStandIn(basis) ? nameOf('model', basis) : <code>{basis}</code>}
              </span>
            ))}
          </dd>
        </div>
      )}
      {type === undefined && footprints.some(isStandIn) && <Evidence product={product} />}
    </dl>
  )
}

/** What told the type of a product that states none and has a fallback. */
function Evidence({ product }: { readonly product: Product }) {
  const t = useMessages({ en, de })
  const { data } = useQuery({
    queryKey: ['type evidence', product.product_id, product.product_name, product.brand],
    queryFn: ({ signal }) => readMatch(product, signal),
  })
  if (!data?.type_evidence) return null
  return (
    <div>
      <dt>{t('typeRead')}</dt>
      <dd>
        <TypeEvidence evidence={data.type_evidence} />
      </dd>
    </div>
  )
}

function Mapped({ product, mayDecide, onDecide }: DecideProps) {
  const t = useMessages({ en, de })
  const { time } = useFormat()
  const typeName = useTypeName()
  const { mapping, product_id: id } = product
  if (!mapping) return null
  const target = mapping.model_id ?? typeName(mapping.device_type!)
  return (
    <p className="row matching-choice">
      <span>{t('isMapped', { target, at: time(mapping.mapped_at) })}</span>
      <button
        className="button"
        disabled={!mayDecide}
        aria-label={t('removeMappingOf', { id })}
        onClick={() => onDecide(null, id)}
      >
        {t('removeMapping')}
      </button>
      <RestateProduct productId={id} />
    </p>
  )
}

/** What is not among the candidates: another model, or a type of device without one. */
function More(deciding: DecideProps) {
  const t = useMessages({ en, de })
  const [isOpen, setOpen] = useState(false)
  const place = useId()
  const { product_id: id } = deciding.product
  return (
    <>
      <div className="matching-rest">
        <TypeChoice {...deciding} />
        <button
          className="button"
          aria-expanded={isOpen}
          aria-controls={place}
          aria-label={t('otherModelOf', { id })}
          onClick={() => setOpen(!isOpen)}
        >
          {t('otherModel')}
        </button>
      </div>
      <div id={place} hidden={!isOpen}>
        {isOpen && <OtherModel {...deciding} />}
      </div>
    </>
  )
}

function TypeChoice({ product, mayDecide, onDecide }: DecideProps) {
  const t = useMessages({ en, de })
  const typeName = useTypeName()
  const said = TYPES.find((type) => type === product.device_type)
  const [type, setType] = useState<DeviceType | null>(said ?? null)
  const field = useId()
  return (
    <div className="row matching-choice">
      <label htmlFor={field}>{t('orType')}</label>
      <select id={field} value={type ?? ''} onChange={({ target }) => setType(target.value as DeviceType)}>
        {type === null && <option value="">{t('chooseType')}</option>}
        {TYPES.map((one) => (
          <option key={one} value={one}>
            {typeName(one)}
          </option>
        ))}
      </select>
      <button
        className="button"
        disabled={!mayDecide || type === null}
        aria-label={t('mapIdTo', {
          id: product.product_id,
          name: type === null ? t('chooseType') : typeName(type),
        })}
        onClick={() => type !== null && onDecide({ device_type: type }, typeName(type))}
      >
        {t('map')}
      </button>
    </div>
  )
}
