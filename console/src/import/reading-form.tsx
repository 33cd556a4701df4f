// What was found out of a file, by what, and what to say where it is wrong or cannot be found out.
import { useQuery } from '@tanstack/react-query'
import { api, read } from '../api/client.ts'
import { DataTable, type Column } from '../components/data-table.tsx'
import { ChoiceField, Field } from '../components/fields.tsx'
import { useMessages } from '../language/language.tsx'
import de from './messages.de.json'
import en from './messages.en.json'
import {
  CHOICES,
  PASSED_OVER,
  choicesOf,
  memberChoices,
  type AskedSettings,
  type FileColumn,
  type Reading,
  type Setting,
} from './settings.ts'

export interface ReadingFormProps {
  readonly reading: Reading
  readonly asked: AskedSettings
  /** Null where the file is not at hand any more: then it is shown only. */
  readonly onAsk: ((asked: AskedSettings) => void) | null
}

export function ReadingForm({ reading, asked, onAsk }: ReadingFormProps) {
  const say = useMessages({ en, de })
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
          <h3>{say('columns')}</h3>
          <ColumnTable
            columns={columns}
            layout={asked.layout || settings.find(({ name }) => name === 'layout')?.value || 'items'}
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

function SettingField({ setting: { name, value, because }, asked, onAsk }: SettingFieldProps) {
  const say = useMessages({ en, de })
  const { [name]: choices } = CHOICES
  const labelOf = (one: string) => (one in en ? say(one as keyof typeof en) : one)
  const current = asked ?? value
  if (!onAsk || !choices) {
    return (
      <Field label={say(name)} hint={because}>
        {(ids) => (
          <input
            {...ids}
            value={choices ? labelOf(current) : current}
            readOnly={!onAsk}
            maxLength={200}
            onChange={({ target }) => onAsk?.(target.value)}
          />
        )}
      </Field>
    )
  }
  const unknown = current === '' ? [{ value: '', label: say('choose') }] : []
  return (
    <ChoiceField
      label={say(name)}
      hint={because}
      value={current}
      choices={[...unknown, ...choicesOf(choices, labelOf)]}
      onChange={onAsk}
    />
  )
}

/** More could not be looked through, and each has a field of its own. */
const COLUMNS_SHOWN_MAX = 200

interface ColumnTableProps {
  readonly columns: readonly FileColumn[]
  readonly layout: string
  readonly asked: AskedSettings
  readonly onAsk: ((asked: AskedSettings) => void) | null
}

function ColumnTable({ columns, layout, asked, onAsk }: ColumnTableProps) {
  const say = useMessages({ en, de })
  const names = useColumnNames(layout)
  const ask = (header: string, member: string) => onAsk?.({ ...asked, columns: { ...asked.columns, [header]: member } })
  const shown: readonly Column<FileColumn>[] = [
    { key: 'header', header: say('header'), isName: true, cell: ({ header }) => header || say('noHeader') },
    {
      key: 'member',
      header: say('takenFor'),
      cell: (column) => {
        const { header, member } = column
        const current = asked.columns[header] ?? member ?? PASSED_OVER
        if (!onAsk) return current === PASSED_OVER ? say('passedOver') : <code>{current}</code>
        return (
          <select
            className="import-member"
            aria-label={say('columnIs', { header })}
            value={current}
            onChange={({ target }) => ask(header, target.value)}
          >
            {current === '' && <option value="">{say('choose')}</option>}
            <option value={PASSED_OVER}>{say('passedOver')}</option>
            {memberChoices(column, names).map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        )
      },
    },
  ]
  return (
    <>
      <DataTable
        caption={say('columns')}
        columns={shown}
        rows={columns.slice(0, COLUMNS_SHOWN_MAX)}
        keyOf={({ header }) => header}
      />
      {columns.length > COLUMNS_SHOWN_MAX && (
        <p className="muted">{say('moreColumns', { count: columns.length - COLUMNS_SHOWN_MAX })}</p>
      )}
    </>
  )
}

/** Those of the layout's template: its first row is all of them. */
function useColumnNames(layout: string): readonly string[] {
  const template = useQuery({
    queryKey: ['import template', layout],
    queryFn: ({ signal }) =>
      read(api.GET('/api/import-templates/{layout}', { params: { path: { layout } }, parseAs: 'text', signal })),
    staleTime: Infinity,
  })
  return (
    template.data
      ?.split(/\r?\n/, 1)[0]
      ?.replace(/^\ufeff/, '')
      .split(',') ?? []
  )
}
