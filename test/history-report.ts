// Writes what the two long trials of the ledger came to into docs/histories.md, a section for each.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const FILE = join(import.meta.dirname, '..', 'docs', 'histories.md')
const HEAD = `# Trials of the ledger

Written by the commands that made them: \`npm run histories\` and \`npm run contend\`.
`

const tableLine = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |\n`

/** Puts a table into its section, in place of what was there. Gives the section. */
export function writeSection(
  title: string,
  columns: readonly string[],
  rows: readonly (readonly (string | number)[])[],
  remark = '',
): string {
  const old = existsSync(FILE) ? readFileSync(FILE, 'utf8') : HEAD
  const [head, ...sections] = old.split(/^(?=## )/m)
  const table = [columns, columns.map(() => '---'), ...rows].map(tableLine).join('')
  const section = `## ${title}\n\n${table}${remark && `\n${remark}\n`}`
  const others = sections.filter((one) => !one.startsWith(`## ${title}\n`))
  const all = [...others, section].sort().map((one) => one.trimEnd())
  writeFileSync(FILE, `${[head!.trimEnd(), ...all].join('\n\n')}\n`)
  return section
}
