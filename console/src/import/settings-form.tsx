// The settings of a file with the evidence for them, to be changed if they are wrong or could not be detected.
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api, read } from '../api/client.ts'
import { ChoiceField, Field } from '../components/fields.tsx'
import { useMessages } from '../i18n/language.tsx'
import { Tell } from '../i18n/service-text.tsx'
import de from './messages.de.json'
import en from './messages.en.json'
import {
  CHOICES,
  IGNORED,
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
  /** Null if the page does not have the file any more: the settings are then only shown. */
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

function SettingField({ setting: { name, value, because, choices: ofFile }, asked, onAsk }: SettingFieldProps) {
  const t = useMessages({ en, de })
  const { [name]: choices = ofFile } = CHOICES
  const labelOf = (one: string) => (one in en ? t(one as keyof typeof en) : one)
  const current = asked ?? value
  const hint = (
    <span className="import-because">
      <Tell text={because} />
    </span>
  )
  if (!onAsk) return <ShownField label={t(name)} value={labelOf(current)} hint={hint} />
  if (!choices) {
    return (
      <Field label={t(name)} hint={hint}>
        {(ids) => <input {...ids} value={current} maxLength={200} onChange={({ target }) => onAsk(target.value)} />}
      </Field>
    )
  }
  const unknown = current === '' ? [{ value: '', label: t('choose') }] : []
  return (
    <ChoiceField
      label={t(name)}
      hint={hint}
      value={current}
      choices={[...unknown, ...choicesOf(choices, labelOf)]}
      onChange={onAsk}
    />
  )
}

/** Each column has a field of its own, and more fields would be too many to review. */
const COLUMNS_SHOWN_MAX = 200

interface ColumnFieldsProps {
  readonly columns: readonly FileColumn[]
  /** Null if it is unknown. */
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
              // The button goes away, so the focus moves to the fields that it filled in.
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
  const current = asked ?? member ?? IGNORED
  const ignoredColumn = { value: IGNORED, label: t('ignoredColumn') }
  if (!onAsk) return <ShownField label={label} value={current === IGNORED ? ignoredColumn.label : current} />
  const unknown = current === '' ? [{ value: '', label: t('choose') }] : []
  const choices = choicesOf(memberChoices(column, names), (name) => name)
  return (
    <ChoiceField
      label={label}
      hint={likely.length > 0 && t('likely', { names: likely.join(', ') })}
      value={current}
      choices={[...unknown, ignoredColumn, ...choices]}
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

/** The columns of the layout's template; of both layouts if it is unknown, as in a file that was rejected. */
function useColumnNames(layout: string | null): readonly string[] {
  const { data } = useQuery({
    queryKey: ['import template', layout],
    queryFn: ({ signal }) =>
      Promise.all((layout === null ? CHOICES.layout! : [layout]).map((one) => columnNamesOf(one, signal))),
    staleTime: Infinity,
  })
  return data?.flat() ?? []
}

/** The first row of a template has all columns. */
async function columnNamesOf(layout: string, signal: AbortSignal): Promise<readonly string[]> {
  const asked = api.GET('/api/import-templates/{layout}', { params: { path: { layout } }, parseAs: 'text', signal })
  const [header = ''] = (await read(asked)).split(/\r?\n/, 1)
  return header.replace(/^\ufeff/, '').split(',')
}
