// Writes what long trials came to into a document, a section for each: docs/histories.md where no other is named.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Document {
  readonly file: string
  /** What stands before the sections. */
  readonly head: string
}

const HISTORIES: Document = {
  file: join(import.meta.dirname, '..', 'docs', 'histories.md'),
  head: `# Trials of the ledger

Written by the commands that made them: \`npm run histories\` and \`npm run contend\`.
`,
}

const tableLine = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |\n`

/** Puts a table into its section, in place of what was there. Gives the section. */
export function writeSection(
  title: string,
  columns: readonly string[],
  rows: readonly (readonly (string | number)[])[],
  remark = '',
  { file, head: emptyHead }: Document = HISTORIES,
): string {
  const old = existsSync(file) ? readFileSync(file, 'utf8') : emptyHead
  const [head, ...sections] = old.split(/^(?=## )/m)
  const table = [columns, columns.map(() => '---'), ...rows].map(tableLine).join('')
  const section = `## ${title}\n\n${table}${remark && `\n${remark}\n`}`
  const others = sections.filter((one) => !one.startsWith(`## ${title}\n`))
  const all = [...others, section].sort().map((one) => one.trimEnd())
  writeFileSync(file, `${[head!.trimEnd(), ...all].join('\n\n')}\n`)
  return section
}
