// Where the commands that measure write their figures: one file a command, which a guide in docs explains.
import { join } from 'node:path'

/** Commands that test; the others measure speed and size. */
const TESTS = ['fuzz', 'histories', 'torture']

export const resultFile = (command: string): string => join(import.meta.dirname, 'results', `${command}.md`)

/** The first lines of a result file. */
export function resultHead(command: string): string {
  const guide = TESTS.includes(command) ? 'testing.md' : 'performance.md'
  return `# Results of \`npm run ${command}\`\n\nWhat the figures mean: [docs/${guide}](../../docs/${guide}).`
}
