// The sentences of the service as its source has them: each with `§` for what is filled in.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

const ROOT = join(import.meta.dirname, '..', '..')
export const GAP = '§'

export interface Sentence {
  readonly file: string
  readonly text: string
}

/** Every text of source files. @param under globs */
export function textsIn(under: string): readonly Sentence[] {
  const files = globSync(under, { cwd: ROOT, exclude: ['**/*.test.ts'] })
  return files.sort().flatMap((file) => textsOf(file).map((text) => ({ file, text })))
}

/** Begins with a capital or with what is filled in, and has several words. */
export const isSentence = ({ text }: Sentence): boolean => /^["A-Z§]/.test(text) && /[a-z]{2} \S+ /.test(text)

/** What a developer reads, not a user: descriptions in the API's document, and errors of the program itself. */
const DESCRIPTIONS: ReadonlySet<string> = new Set(['description', 'summary', 'title', 'examples'])
const isForDevelopers = (node: ts.Node): boolean =>
  ts.isImportDeclaration(node) ||
  (ts.isPropertyAssignment(node) && DESCRIPTIONS.has(node.name.getText())) ||
  (ts.isNewExpression(node) && /^(?:Range|Type)?Error$/.test(node.expression.getText()))

function textsOf(file: string): readonly string[] {
  const source = ts.createSourceFile(file, readFileSync(join(ROOT, file), 'utf8'), ts.ScriptTarget.Latest, true)
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    if (isForDevelopers(node)) return
    const text = textOf(node)
    if (text !== null) found.push(text)
    // A text within what another is filled with is one of its own.
    ts.forEachChild(node, text === null || ts.isTemplateExpression(node) ? visit : () => undefined)
  }
  visit(source)
  return found
}

/** Of a text, or of several that are joined; null for anything else. */
function textOf(node: ts.Node): string | null {
  if (ts.isStringLiteralLike(node)) return node.text
  if (ts.isTemplateExpression(node))
    return node.head.text + node.templateSpans.map(({ literal }) => GAP + literal.text).join('')
  if (ts.isParenthesizedExpression(node)) return textOf(node.expression)
  if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.PlusToken) return null
  const [left, right] = [textOf(node.left), textOf(node.right)]
  return left === null && right === null ? null : (left ?? GAP) + (right ?? GAP)
}
