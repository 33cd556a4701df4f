// The form for a restatement: which orders are calculated again, by which figures, and why.
import { useState, type ReactNode } from 'react'
import { Link } from 'wouter'
import { useReleases } from '../dataset-releases/use-releases.ts'
import { ChoiceField, Field } from '../components/fields.tsx'
import { useFilters } from '../components/filters.ts'
import { Empty, ProblemNotice } from '../components/loading-and-error.tsx'
import { useMessages } from '../i18n/language.tsx'
import { Page } from '../layout/page.tsx'
import { useSession } from '../session/session.tsx'
import { SCOPES, isComplete, toParams, type Draft, type ScopeKind } from './draft.ts'
import de from './messages.de.json'
import en from './messages.en.json'
import { useNewRestatement } from './use-restatements.ts'

const REASON_LENGTH_MAX = 200

export function NewRestatement() {
  const t = useMessages({ en, de })
  const { may } = useSession()
  return (
    <Page
      title={t('newRestatement')}
      lead={t('newLead')}
      actions={
        <Link href="/restatements" className="button">
          {t('allRestatements')}
        </Link>
      }
    >
      {may('admin') ? (
        <Form />
      ) : (
        <Empty title={t('mayNot')}>
          <p>{t('readOnly')}</p>
        </Empty>
      )}
    </Page>
  )
}

/** Links from other pages fill in what they are about. */
function useDraft() {
  const { filters } = useFilters(['product', 'release', 'own', 'mappings'])
  const { product, release, own, mappings } = filters
  return useState<Draft>({
    scope: product === '' ? 'all' : 'products',
    ids: product,
    from: '',
    mappings: mappings !== '',
    own: own !== '',
    byRelease: release !== '',
    release,
    reason: '',
  })
}

function Form() {
  const t = useMessages({ en, de })
  const [draft, setDraft] = useDraft()
  const { mutate, isPending, error } = useNewRestatement()
  const change = (changed: Partial<Draft>) => setDraft({ ...draft, ...changed })
  return (
    <form
      className="stack restatement-form"
      onSubmit={(event) => {
        event.preventDefault()
        mutate(toParams(draft))
      }}
    >
      <ScopeFields draft={draft} onChange={change} />
      <FigureFields draft={draft} onChange={change} />
      <section className="card">
        <Field label={t('reason')} hint={t('reasonHelp')}>
          {(ids) => (
            <input
              {...ids}
              required
              value={draft.reason}
              maxLength={REASON_LENGTH_MAX}
              placeholder={t('reasonExample')}
              onChange={({ target }) => change({ reason: target.value })}
            />
          )}
        </Field>
      </section>
      <div className="row">
        <button className="button button-primary" disabled={!isComplete(draft) || isPending}>
          {t('calculatePreview')}
        </button>
        <p className="muted">{t('previewHelp')}</p>
      </div>
      {error && <ProblemNotice problem={error} />}
    </form>
  )
}

interface FieldsProps {
  readonly draft: Draft
  readonly onChange: (changed: Partial<Draft>) => void
}

function ScopeFields({ draft: { scope, ids, from }, onChange }: FieldsProps) {
  const t = useMessages({ en, de })
  return (
    <section className="card">
      <fieldset>
        <legend>{t('whichOrders')}</legend>
        <ChoiceField
          label={t('scope')}
          value={scope}
          choices={SCOPES.map((value) => ({ value, label: t(`scope-${value}`) }))}
          onChange={(value) => onChange({ scope: value as ScopeKind, ids: '' })}
        />
        {scope === 'import' && (
          <Field label={t('importId')} hint={t('importIdHelp')}>
            {(at) => (
              <input
                {...at}
                type="number"
                inputMode="numeric"
                min={1}
                step={1}
                value={ids}
                onChange={({ target }) => onChange({ ids: target.value })}
              />
            )}
          </Field>
        )}
        {(scope === 'products' || scope === 'models' || scope === 'devices') && (
          <Field label={t(`ids-${scope}`)} hint={t('oneALine')}>
            {(at) => (
              <textarea {...at} rows={4} value={ids} onChange={({ target }) => onChange({ ids: target.value })} />
            )}
          </Field>
        )}
        <Field label={t('from')} hint={t('fromHelp')}>
          {(at) => (
            <input {...at} type="date" value={from} onChange={({ target }) => onChange({ from: target.value })} />
          )}
        </Field>
      </fieldset>
    </section>
  )
}

function FigureFields({ draft: { mappings, own, byRelease, release }, onChange }: FieldsProps) {
  const t = useMessages({ en, de })
  return (
    <section className="card">
      <fieldset>
        <legend>{t('byWhichFigures')}</legend>
        <Check isChecked={mappings} label={t('mappings')} onChange={(checked) => onChange({ mappings: checked })}>
          {t('mappingsHelp')}
        </Check>
        <Check isChecked={own} label={t('own')} onChange={(checked) => onChange({ own: checked })}>
          {t('ownHelp')}
        </Check>
        <Check isChecked={byRelease} label={t('release')} onChange={(checked) => onChange({ byRelease: checked })}>
          {t('releaseHelp')}
        </Check>
        {byRelease && <ReleaseField release={release} onChange={(chosen) => onChange({ release: chosen })} />}
      </fieldset>
    </section>
  )
}

interface CheckProps {
  readonly isChecked: boolean
  readonly label: string
  readonly onChange: (isChecked: boolean) => void
  readonly children: ReactNode
}

const Check = ({ isChecked, label, onChange, children }: CheckProps) => (
  <label className="restatement-check">
    <input type="checkbox" checked={isChecked} onChange={({ target }) => onChange(target.checked)} />
    <span>
      <strong>{label}</strong>
      <br />
      <span className="muted">{children}</span>
    </span>
  </label>
)

function ReleaseField({ release, onChange }: { readonly release: string; readonly onChange: (id: string) => void }) {
  const t = useMessages({ en, de })
  const { data } = useReleases()
  const choices = (data?.dataset_releases ?? []).map(({ id, is_newest: isNewest }) => ({
    value: id,
    label: isNewest ? t('newest', { id }) : id,
  }))
  return (
    <ChoiceField
      label={t('chooseRelease')}
      value={release}
      choices={release === '' ? [{ value: '', label: t('choose') }, ...choices] : choices}
      onChange={onChange}
    />
  )
}
