// What the tests of the documentation read from Markdown: its headings as anchors, its links, blocks and tables.

/** The anchors of a document's headings, as GitHub makes them; of two equal ones, the second has `-1`. */
export function anchorsOf(markdown: string): ReadonlySet<string> {
  const anchors = new Set<string>()
  for (const [, heading] of withoutBlocks(markdown).matchAll(/^#{1,6} +(.+?) *#*$/gm)) {
    const slug = heading!
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-')
    let anchor = slug
    for (let count = 1; anchors.has(anchor); count += 1) anchor = `${slug}-${count}`
    anchors.add(anchor)
  }
  return anchors
}

/** The targets of a document's links. */
export const linksOf = (markdown: string): readonly string[] =>
  [...withoutBlocks(markdown).matchAll(/\]\(([^()\s]+)\)/g)].map(([, target]) => target!)

/** The fenced blocks of a language, dedented, in sequence. */
export const blocksOf = (markdown: string, language: string): readonly string[] =>
  [...markdown.matchAll(/^( *)```(\w*)\n([\s\S]*?)^ *```$/gm)]
    .filter(([, , found]) => found === language)
    .map(([, indent, , text]) => text!.replaceAll(new RegExp(`^${indent}`, 'gm'), ''))

/** The cells of the first table under a heading row that begins with these cells, without the heading. */
export function tableOf(markdown: string, ...headings: readonly string[]): readonly (readonly string[])[] {
  const lines = markdown.split('\n')
  const start = lines.findIndex((line) => headings.every((heading, at) => cellsOf(line)[at] === heading))
  const end = lines.findIndex((line, at) => at > start && !line.startsWith('|'))
  return start === -1 ? [] : lines.slice(start + 2, end === -1 ? undefined : end).map(cellsOf)
}

const cellsOf = (line: string): readonly string[] =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim())

const withoutBlocks = (markdown: string): string => markdown.replace(/^ *```[\s\S]*?^ *```$/gm, '')
