// Prints how large `src` is, and how much of it is hard to find one's way in: `npm run measure-source [COMMIT…]`.
import { execFileSync } from 'node:child_process'
import { globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import ts from 'typescript'
import { readSource, visit, type SourceFile } from '../test/source-file.ts'

const ROOT = join(import.meta.dirname, '..')

/** @param root of a checkout */
function measure(root: string) {
  const paths = globSync('src/**/*.ts', { cwd: root }).filter((path) => !path.endsWith('.test.ts'))
  const files = paths.map((path) => readSource(root, path))
  const importers = new Map(paths.map((path) => [path, 0]))
  for (const { path, imports } of files)
    for (const target of new Set(imports.map(({ specifier }) => join(dirname(path), specifier))))
      importers.set(target, (importers.get(target) ?? 0) + 1)
  const lengths = files.map(({ text }) => text.split('\n').length - 1).toSorted((a, b) => a - b)
  const functions = files.flatMap(functionLengths).toSorted((a, b) => a - b)
  return {
    files: files.length,
    lines: lengths.reduce((sum, length) => sum + length, 0),
    'lines of the longest file': lengths.at(-1)!,
    'exported names': files.reduce((sum, file) => sum + exportedNames(file), 0),
    'files with a single importer': paths.filter((path) => importers.get(path) === 1).length,
    'lines of a function, median': functions[Math.floor(functions.length / 2)]!,
    'lines of the longest function': functions.at(-1)!,
  }
}

function functionLengths({ tree }: SourceFile): readonly number[] {
  const lengths: number[] = []
  const lineAt = (position: number) => tree.getLineAndCharacterOfPosition(position).line
  visit(tree, (node) => {
    if (ts.isFunctionLike(node)) lengths.push(lineAt(node.getEnd()) - lineAt(node.getStart(tree)) + 1)
  })
  return lengths
}

function exportedNames({ tree }: SourceFile): number {
  const isExported = (node: ts.Statement) =>
    ts.canHaveModifiers(node) && ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
  return tree.statements
    .filter(isExported)
    .reduce((sum, one) => sum + (ts.isVariableStatement(one) ? one.declarationList.declarations.length : 1), 0)
}

function measureCommit(commit: string): ReturnType<typeof measure> {
  const folder = mkdtempSync(join(tmpdir(), 'cradle-source-'))
  try {
    const archive = execFileSync('git', ['archive', commit, 'src'], { cwd: ROOT, maxBuffer: 2 ** 30 })
    execFileSync('tar', ['-x', '-C', folder], { input: archive })
    return measure(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const measured = [
  ...process.argv.slice(2).map((commit) => [commit, measureCommit(commit)] as const),
  ['now', measure(ROOT)],
]
console.table(Object.fromEntries(measured))
