// What is stored of a file beside its orders: rejected rows, and warnings. Those with an erased name are removed.
import type { WarningGroup } from '../import-record.ts'
import type { Connection } from '../transaction.ts'

const ROWS_PER_PAGE = 1_000
/** A shorter name is only looked for as a complete value: within a text, it may be part of any word. */
const WORD_LENGTH_MIN = 4

/**
 * Removes the rejected rows and the warnings that contain a name.
 * @returns how many rejected rows were removed
 */
export async function removeImportTraces(
  connection: Connection,
  accountId: number,
  names: ReadonlySet<string>,
): Promise<number> {
  await removeWarnings(connection, accountId, names)
  await removeStatedNames(connection, accountId, names)
  let removed = 0
  let after: readonly [importId: number, row: number] = [0, 0]
  for (;;) {
    const { rows } = await connection.query<RejectedRowText>(
      `select import_id, row_no, cells, errors from import_errors
      where account_id = $1 and (import_id, row_no) > ($2, $3) order by import_id, row_no limit ${ROWS_PER_PAGE}`,
      [accountId, ...after],
    )
    const last = rows.at(-1)
    if (!last) return removed
    after = [last.import_id, last.row_no]
    const named = rows.filter(({ cells, errors }) => isNamedIn(cells, names) || isNamedIn(errors, names))
    removed += await removeRows(connection, accountId, named)
  }
}

interface RejectedRowText {
  readonly import_id: number
  readonly row_no: number
  readonly cells: string
  readonly errors: string
}

async function removeRows(
  connection: Connection,
  accountId: number,
  rows: readonly RejectedRowText[],
): Promise<number> {
  if (rows.length === 0) return 0
  const { rowCount } = await connection.query(
    `delete from import_errors using unnest($2::integer[], $3::integer[]) as named (import_id, row_no)
    where account_id = $1 and import_errors.import_id = named.import_id and import_errors.row_no = named.row_no`,
    [accountId, rows.map((row) => row.import_id), rows.map((row) => row.row_no)],
  )
  const ofImport = Map.groupBy(rows, (row) => row.import_id)
  const bytesOf = ({ cells, errors }: RejectedRowText) => Buffer.byteLength(cells) + Buffer.byteLength(errors)
  await connection.query(
    `update imports set rows_rejected_stored = rows_rejected_stored - fewer.rows,
      rows_rejected_bytes = rows_rejected_bytes - fewer.bytes
    from unnest($2::integer[], $3::integer[], $4::bigint[]) as fewer (import_id, rows, bytes)
    where account_id = $1 and imports.import_id = fewer.import_id`,
    [
      accountId,
      [...ofImport.keys()],
      [...ofImport.values()].map(({ length }) => length),
      [...ofImport.values()].map((own) => own.reduce((sum, row) => sum + bytesOf(row), 0)),
    ],
  )
  return rowCount ?? 0
}

async function removeWarnings(connection: Connection, accountId: number, names: ReadonlySet<string>): Promise<void> {
  const { rows } = await connection.query<{ readonly import_id: number; readonly warnings: string }>(
    `select import_id, warnings from imports where account_id = $1 and warnings <> '[]'`,
    [accountId],
  )
  for (const { import_id: importId, warnings } of rows) {
    const groups = JSON.parse(warnings) as readonly WarningGroup[]
    const kept = groups.filter((group) => !isNamedIn(JSON.stringify(group), names))
    if (kept.length === groups.length) continue
    await connection.query('update imports set warnings = $3 where account_id = $1 and import_id = $2', [
      accountId,
      importId,
      JSON.stringify(kept),
    ])
  }
}

/** Profiles that name a customer are removed; what an import was told of customers is removed from its settings. */
async function removeStatedNames(connection: Connection, accountId: number, names: ReadonlySet<string>): Promise<void> {
  const profiles = await connection.query<{ readonly name: string; readonly settings: string }>(
    'select name, settings from import_profiles where account_id = $1',
    [accountId],
  )
  for (const { name, settings } of profiles.rows) {
    if (!isNamedIn(settings, names) && !isNamedIn(JSON.stringify(name), names) && !hasNamedKey(settings, names))
      continue
    await connection.query('delete from import_profiles where account_id = $1 and name = $2', [accountId, name])
  }
  const imports = await connection.query<{ readonly import_id: number; readonly settings: string }>(
    'select import_id, settings from imports where account_id = $1 and settings is not null',
    [accountId],
  )
  for (const { import_id: importId, settings } of imports.rows) {
    const { values, register, ...others } = JSON.parse(settings) as Readonly<Record<string, unknown>>
    const stated = JSON.stringify({ values, register })
    if (!isNamedIn(stated, names) && !hasNamedKey(stated, names)) continue
    await connection.query('update imports set settings = $3 where account_id = $1 and import_id = $2', [
      accountId,
      importId,
      JSON.stringify(others),
    ])
  }
}

/** True if a table of values has a name among its texts, which are names of members. */
function hasNamedKey(settings: string, names: ReadonlySet<string>): boolean {
  const { values = {} } = JSON.parse(settings) as { readonly values?: Readonly<Record<string, object>> }
  return isNamedIn(JSON.stringify(Object.values(values).flatMap((texts) => Object.keys(texts))), names)
}

/**
 * True if a JSON text contains a name: as a value, with white space around it or not, or, if the name is long enough,
 * as words within a value. A value may be JSON itself, as is a row of JSON lines.
 */
export function isNamedIn(json: string, names: ReadonlySet<string>): boolean {
  const isNamed = (value: unknown): boolean => {
    if (typeof value === 'string') return isNamedInText(value, names) || isNamed(nestedJson(value))
    return typeof value === 'object' && value !== null && Object.values(value).some(isNamed)
  }
  return isNamed(JSON.parse(json))
}

/** The content of a text that is a JSON object: its letters may be escaped. Null for any other text. */
function nestedJson(text: string): unknown {
  if (!text.startsWith('{')) return null
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function isNamedInText(text: string, names: ReadonlySet<string>): boolean {
  if (names.has(text) || names.has(text.trim().normalize('NFC'))) return true
  const words = text.normalize('NFC').split(/([^\p{L}\p{N}]+)/u)
  for (let from = 0; from < words.length; from += 2) {
    let phrase = ''
    for (let to = from; to < Math.min(words.length, from + WORDS_MAX); to += 1) {
      phrase += words[to]!
      const isQuoted = /"$/.test(words[from - 1] ?? '') && /^\\?"/.test(words[to + 1] ?? '')
      if ((phrase.length >= WORD_LENGTH_MIN || isQuoted) && names.has(phrase)) return true
    }
  }
  return false
}

/** Words and what is between them in the longest name that is found within a text. */
const WORDS_MAX = 15
