// What was found out of a file, by what, and what to say where it is wrong or cannot be found out.
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api, read } from '../api/client.ts'
import { ChoiceField, Field } from '../components/fields.tsx'
import { useMessages } from '../i18n/language.tsx'
import { Tell, said } from '../i18n/service-text.tsx'
import de from './messages.de.json'
import en from './messages.en.json'
import {
  CHOICES,
  PASSED_OVER,
  choicesOf,
  isOfExport,
  likelyMembers,
  memberChoices,
  type RequestedSettings,
  type FileColumn,
  type Reading,
  type Setting,
} from './settings.ts'

export interface ReadingFormProps {
  readonly reading: Reading
  readonly asked: RequestedSettings
  /** Null where the file is not at hand any more: then it is shown only. */
  readonly onAsk: ((asked: RequestedSettings) => void) | null
}

export function ReadingForm({ reading, asked, onAsk }: ReadingFormProps) {
  const t = useMessages({ en, de })
  const { settings, columns } = reading
  return (
    <>
      {settings.length > 0 && (
        <div className="fields import-settings">
          {settings.map((setting) => (
            <SettingField
              key={setting.name}
              setting={setting}
              asked={asked[setting.name]}
              onAsk={onAsk && ((value) => onAsk({ ...asked, [setting.name]: value }))}
            />
          ))}
        </div>
      )}
      {columns.length > 0 && (
        <>
          <h3>{t('columns')}</h3>
          <ColumnFields
            columns={columns}
            layout={asked.layout || settings.find(({ name }) => name === 'layout')?.value || null}
            asked={asked}
            onAsk={onAsk}
          />
        </>
      )}
    </>
  )
}

interface SettingFieldProps {
  readonly setting: Setting
  readonly asked: string | undefined
  readonly onAsk: ((value: string) => void) | null
}

function SettingField({ setting: { name, value, because, choices: told }, asked, onAsk }: SettingFieldProps) {
  const t = useMessages({ en, de })
  const { [name]: choices = told } = CHOICES
  const labelOf = (one: string) => (one in en ? t(one as keyof typeof en) : one)
  const current = asked ?? value
  if (!onAsk) return <ShownField label={t(name)} value={labelOf(current)} hint={<Tell text={said(because)} />} />
  if (!choices) {
    return (
      <Field label={t(name)} hint={<Tell text={said(because)} />}>
        {(ids) => <input {...ids} value={current} maxLength={200} onChange={({ target }) => onAsk(target.value)} />}
      </Field>
    )
  }
  const unknown = current === '' ? [{ value: '', label: t('choose') }] : []
  return (
    <ChoiceField
      label={t(name)}
      hint={<Tell text={said(because)} />}
      value={current}
      choices={[...unknown, ...choicesOf(choices, labelOf)]}
      onChange={onAsk}
    />
  )
}

/** More could not be looked through, and each has a field of its own. */
const COLUMNS_SHOWN_MAX = 200

interface ColumnFieldsProps {
  readonly columns: readonly FileColumn[]
  /** Null where it is not told. */
  readonly layout: string | null
  readonly asked: RequestedSettings
  readonly onAsk: ((asked: RequestedSettings) => void) | null
}

function ColumnFields({ columns: all, layout, asked, onAsk }: ColumnFieldsProps) {
  const t = useMessages({ en, de })
  const columns = all.filter((column) => !isOfExport(column))
  const names = useColumnNames(layout)
  const hidden = columns.length - COLUMNS_SHOWN_MAX
  const likely = likelyMembers(columns, asked.columns)
  const count = Object.keys(likely).length
  return (
    <div className="fields import-settings" role="group" aria-label={t('columns')}>
      {columns.slice(0, COLUMNS_SHOWN_MAX).map((column) => (
        <ColumnField
          key={column.header}
          column={column}
          names={names}
          asked={asked.columns[column.header]}
          onAsk={onAsk && ((member) => onAsk({ ...asked, columns: { ...asked.columns, [column.header]: member } }))}
        />
      ))}
      {columns.length < all.length && (
        <p className="muted fields-wide">{t('exportColumns', { count: all.length - columns.length })}</p>
      )}
      {hidden > 0 && <p className="muted fields-wide">{t('moreColumns', { count: hidden })}</p>}
      {onAsk && count > 0 && (
        <div className="row fields-wide">
          <button
            className="button"
            onClick={({ currentTarget }) => {
              onAsk({ ...asked, columns: { ...likely, ...asked.columns } })
              // The button goes away, and the focus to what it filled in.
              currentTarget.closest('.fields')?.querySelector('select')?.focus()
            }}
          >
            {t('takeLikely', { count })}
          </button>
        </div>
      )}
    </div>
  )
}

interface ColumnFieldProps {
  readonly column: FileColumn
  readonly names: readonly string[]
  readonly asked: string | undefined
  readonly onAsk: ((member: string) => void) | null
}

function ColumnField({ column, names, asked, onAsk }: ColumnFieldProps) {
  const t = useMessages({ en, de })
  const { header, member, likely } = column
  const label = header || t('noHeader')
  const current = asked ?? member ?? PASSED_OVER
  const passedOver = { value: PASSED_OVER, label: t('passedOver') }
  if (!onAsk) return <ShownField label={label} value={current === PASSED_OVER ? passedOver.label : current} />
  const unknown = current === '' ? [{ value: '', label: t('choose') }] : []
  const choices = choicesOf(memberChoices(column, names), (name) => name)
  return (
    <ChoiceField
      label={label}
      hint={likely.length > 0 && t('likely', { names: likely.join(', ') })}
      value={current}
      choices={[...unknown, passedOver, ...choices]}
      onChange={onAsk}
    />
  )
}

const ShownField = ({
  label,
  value,
  hint,
}: {
  readonly label: string
  readonly value: string
  readonly hint?: ReactNode
}) => (
  <Field label={label} hint={hint}>
    {(ids) => <input {...ids} value={value} readOnly />}
  </Field>
)

/** Those of the layout's template, of both where it is not told: a file that was refused may be of either. */
function useColumnNames(layout: string | null): readonly string[] {
  const { data } = useQuery({
    queryKey: ['import template', layout],
    queryFn: ({ signal }) =>
      Promise.all((layout === null ? CHOICES.layout! : [layout]).map((one) => columnNamesOf(one, signal))),
    staleTime: Infinity,
  })
  return data?.flat() ?? []
}

/** The first row of a template is all of them. */
async function columnNamesOf(layout: string, signal: AbortSignal): Promise<readonly string[]> {
  const asked = api.GET('/api/import-templates/{layout}', { params: { path: { layout } }, parseAs: 'text', signal })
  const [header = ''] = (await read(asked)).split(/\r?\n/, 1)
  return header.replace(/^\ufeff/, '').split(',')
}
