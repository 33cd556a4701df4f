// Writes the results of a long test or measurement into the file of its command, a section for each part.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { resultFile, resultHead } from '../../bench/result-file.ts'

const tableLine = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |\n`

/** Writes a section of the results of a command, in place of its earlier one. Returns the section. */
export function writeSection(
  command: string,
  title: string,
  columns: readonly string[],
  rows: readonly (readonly (string | number)[])[],
  remark = '',
): string {
  const file = resultFile(command)
  const old = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const sections = old.split(/^(?=## )/m).slice(1)
  const table = [columns, columns.map(() => '---'), ...rows].map(tableLine).join('')
  const section = `## ${title}\n\n${table}${remark && `\n${remark}\n`}`
  const others = sections.filter((one) => !one.startsWith(`## ${title}\n`))
  const all = [...others, section].sort().map((one) => one.trimEnd())
  writeFileSync(file, `${[resultHead(command), ...all].join('\n\n')}\n`)
  return section
}
