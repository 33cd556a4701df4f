// A source file as the tests of the house rules see it: its text, its syntax tree and what it imports.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

export interface Import {
  readonly specifier: string
  readonly typeOnly: boolean
}

export interface SourceFile {
  readonly path: string
  readonly text: string
  readonly tree: ts.SourceFile
  readonly imports: readonly Import[]
}

/** Reads a file of the repository with TypeScript's own parser. */
export function readSource(root: string, path: string): SourceFile {
  const text = readFileSync(join(root, path), 'utf8')
  const tree = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const imports: Import[] = []
  visit(tree, (node) => {
    const specifier =
      ts.isImportDeclaration(node) || ts.isExportDeclaration(node)
        ? node.moduleSpecifier
        : ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword
          ? node.arguments[0]
          : undefined
    if (!specifier || !ts.isStringLiteral(specifier)) return
    imports.push({ specifier: specifier.text, typeOnly: ts.isImportDeclaration(node) && isTypeOnly(node) })
  })
  return { path, text, tree, imports }
}

/** Shows a node and all below it. */
export function visit(node: ts.Node, see: (node: ts.Node) => void): void {
  see(node)
  ts.forEachChild(node, (child) => visit(child, see))
}

function isTypeOnly({ importClause }: ts.ImportDeclaration): boolean {
  if (!importClause) return false
  if (importClause.phaseModifier === ts.SyntaxKind.TypeKeyword) return true
  const { name, namedBindings } = importClause
  return (
    !name && !!namedBindings && ts.isNamedImports(namedBindings) && namedBindings.elements.every((e) => e.isTypeOnly)
  )
}
