// What an order would emit, and what it would if it were done otherwise: nothing of it is stored.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { api, read } from '../api/client.ts'
import { usePackagings, useTransports } from '../api/factor-lists.ts'
import { useModeName } from '../api-values/modes.ts'
import { ChoiceField, Field, NumberField } from '../components/fields.tsx'
import { Empty, Loaded } from '../components/loading-and-error.tsx'
import { Page } from '../layout/page.tsx'
import { useFormat } from '../i18n/format.ts'
import { useLanguage, useMessages } from '../i18n/language.tsx'
import { AlternativeFields } from './alternative-fields.tsx'
import { fromParameters, useFormState, type FormState, type Change } from './form-state.ts'
import { Call } from './code-sample.tsx'
import { countriesIn } from './countries.ts'
import de from './messages.de.json'
import en from './messages.en.json'
import { toBody, type EstimateBody, type Transport } from './form-to-request.ts'
import { KG } from '../emissions/kilograms.ts'
import { ProductField } from './product-field.tsx'
import { Result } from './result.tsx'
import { LegFields, PackingFields, type Packaging } from './transport-fields.tsx'
import './estimate.css'

export function Estimate() {
  const t = useMessages({ en, de })
  const { form, settled, change } = useFormState()
  const transports = useTransports()
  const packagings = usePackagings()
  return (
    <Page title={t('title')} lead={t('lead')}>
      <Loaded query={transports}>
        {({ packagings: ways }) => (
          <Loaded query={packagings}>
            {({ packagings: materials }) => (
              <Asking form={form} settled={settled} change={change} transports={ways} packagings={materials} />
            )}
          </Loaded>
        )}
      </Loaded>
    </Page>
  )
}

function Asking({ settled, ...form }: FormProps & { readonly settled: string }) {
  const t = useMessages({ en, de })
  const body = useBody(settled, form.transports)
  const estimate = useEstimate(body)
  return (
    <div className="estimate">
      <div className="estimate-form">
        <Form {...form} />
        {estimate.data && <Strip total={estimate.data.total_emission} />}
      </div>
      <section className="stack estimate-answer" aria-label={t('result')}>
        {body ? (
          <>
            <Loaded query={estimate}>{(answered) => <Result estimate={answered} />}</Loaded>
            <Call body={body} />
          </>
        ) : (
          <Empty title={t('notFilled')}>{t('notFilledHelp')}</Empty>
        )}
      </section>
    </div>
  )
}

/** Only to be seen: the answer itself tells it to whoever listens. */
function Strip({ total }: { readonly total: number }) {
  const t = useMessages({ en, de })
  const { short } = useFormat()
  return (
    <div className="estimate-strip" aria-hidden>
      <span>{t('yourOrder')}</span>
      <strong>
        {short(total)} {KG}
      </strong>
    </div>
  )
}

interface FormProps {
  readonly form: FormState
  readonly change: Change
  readonly transports: readonly Transport[]
  readonly packagings: readonly Packaging[]
}

/** No button sends it: what is filled in is estimated. */
function Form({ form, change, transports, packagings }: FormProps) {
  const t = useMessages({ en, de })
  return (
    <form className="stack" aria-label={t('order')} onSubmit={(event) => event.preventDefault()}>
      <section className="card estimate-fields">
        <h2>{t('device')}</h2>
        <ProductField form={form} change={change} />
        <RentalFields form={form} change={change} />
      </section>
      <section className="card estimate-fields">
        <h2>{t('transports')}</h2>
        <LegFields form={form} change={change} transports={transports} />
      </section>
      <section className="card estimate-fields">
        <h2>{t('packagings')}</h2>
        <PackingFields packings={form.packings} change={change} packagings={packagings} />
      </section>
      <section className="card estimate-fields">
        <h2>{t('alternatives')}</h2>
        <AlternativeFields form={form} change={change} transports={transports} />
      </section>
    </form>
  )
}

const KG_MAX = 40_000
const MONTHS_MAX = 1200
/** Longer rentals are typed: hardly any lasts longer. */
const SLIDER_MONTHS_MAX = 72

function RentalFields({ form: { weight, months, country }, change }: Pick<FormProps, 'form' | 'change'>) {
  const t = useMessages({ en, de })
  const { language } = useLanguage()
  const countries = useMemo(() => countriesIn(language), [language])
  return (
    <>
      <div className="fields">
        <NumberField
          label={t('weight')}
          hint={t('weightHint')}
          value={weight}
          max={KG_MAX}
          onChange={(value) => change({ weight: value })}
        />
        <NumberField
          label={t('months')}
          value={months}
          max={MONTHS_MAX}
          step={1}
          onChange={(value) => change({ months: value })}
        />
      </div>
      <Field label={t('tenure')} hint={t('tenureHint')}>
        {(ids) => (
          <input
            {...ids}
            type="range"
            className="estimate-slider"
            min={1}
            max={SLIDER_MONTHS_MAX}
            value={Math.min(Number(months) || 1, SLIDER_MONTHS_MAX)}
            aria-valuetext={t('monthsOf', { count: Number(months) })}
            onChange={({ target }) => change({ months: target.value })}
          />
        )}
      </Field>
      <ChoiceField
        label={t('country')}
        hint={t('countryHint')}
        value={country}
        choices={[{ value: '', label: t('countryUnknown') }, ...countries]}
        onChange={(value) => change({ country: value })}
      />
    </>
  )
}

function useBody(settled: string, transports: readonly Transport[]): EstimateBody | null {
  const t = useMessages({ en, de })
  const modeName = useModeName()
  return useMemo(() => {
    const form = fromParameters(new URLSearchParams(settled))
    const mode = transports.find((one) => one.transportation_id === form.otherWay?.to)?.transportation_mode
    return toBody(form, transports, {
      refurbished: t('refurbished'),
      otherWay: t('by', { mode: mode ? modeName(mode) : '' }),
      otherMonths: t('monthsOf', { count: Number(form.otherMonths) }),
      together: t('together'),
    })
  }, [settled, transports, t, modeName])
}

const useEstimate = (body: EstimateBody | null) =>
  useQuery({
    queryKey: ['estimate', body],
    queryFn: ({ signal }) =>
      read(api.POST('/api/estimates', { params: { query: { include: ['calculation'] } }, body: body!, signal })),
    enabled: body !== null,
    placeholderData: keepPreviousData,
  })
