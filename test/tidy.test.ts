// The rules of the house, checked like any other promise: who imports whom, how long things get, which words are used.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { test } from 'node:test'
import ts from 'typescript'
import { CONSOLE_MAY_IMPORT, MAY_IMPORT, NOT_YET, type Rule } from './import-rules.ts'
import { anchorsOf } from './markdown.ts'
import { readSource, visit, type Import, type SourceFile } from './source-file.ts'

const ROOT = join(import.meta.dirname, '..')
const LINES_MAX = 400
const COLUMNS_MAX = 120
const FUNCTION_LINES_MAX = 70

const SOURCES = ['{src,test,bench,scripts}/**/*.ts', 'console/src/**/*.{ts,tsx}', 'clients/typescript/src/*.ts']
const TEXTS = ['*.md', 'docs/**/*.md', 'data/*.md', 'console/*.md', 'clients/{,*/}*.md', 'sql/*.sql']

/** Files that are started, not imported. */
const ENTRY_POINTS = new RegExp(
  [
    String.raw`\.test\.ts$`,
    String.raw`\.d\.ts$`,
    String.raw`^src/cli/cradle\.ts$`,
    '^console/src/main',
    '^scripts/',
    String.raw`^test/(run|groups/.*)\.ts$`,
    String.raw`^bench/(run(-load)?|match)\.ts$`,
  ].join('|'),
)
/** What Node's test runner calls by name. */
const RUNNERS_OWN = /^global(Setup|Teardown)$/
const MEANINGLESS_NAME = /^(index|utils?|helpers?|common|shared|misc|types|interfaces|constants|lib)\.tsx?$/
/** Words that mislead a reader here, and the word that does not. */
const BANNED_WORDS: readonly (readonly [RegExp, string])[] = [
  [/\bembedded (emissions?|carbon|footprints?|co2e?)\b/i, 'embodied'],
  // "ton kilometer" is a unit of PACT.
  [/\btons?\b(?! kilometer\b)/i, 'tonne'],
  [/\btenants?\b/i, 'account'],
  [/\blifespans?\b/i, 'lifetime'],
  [/\b(to-?do|fixme|xxx)\b:?/i, 'an issue, or the thing done'],
  [/\b(compliant|certified)\b/i, 'aligned'],
]
/** Words of the console's earlier texts that only their writers understood, and the term of the field. */
const BANNED_IN_MESSAGES: readonly (readonly [RegExp, string])[] = [
  [/\bwhose books?\b|\b(customers’|company’s) book\b/i, 'perspective, inventory'],
  [/\b(re)?charged (as|by|to|in all)\b|\b(was|were|is|are) charged\b/i, 'allocated, footprint used'],
  [/\b(is|was|were|been) (told|put in)\b|\btold (at|by)\b|\bnot told\b/i, 'recorded, stated, unknown'],
  [/\bstand-?ins?\b|\bstands? in\b/i, 'fallback, proxy'],
  [/\bmend(ed|ing|s)?\b/i, 'fix, correct'],
  [/\b(heaviest|lightest)\b|\bweighs? most\b/i, 'highest emissions, largest contributors'],
  [/\bpassed over\b/i, 'ignored'],
  [/\b(taken|takes?) back\b|\bwas undone\b/i, 'reversed, removed'],
  [/\bas (it|they) (was|were) known\b|\bas it st(ands|ood)\b/i, 'as of, current state'],
  [/\bheld against\b|\bhold it against\b|\bas asked\b/i, 'compared with, your order'],
  [/\bkept by the owner\b|\bwhat (is|was) left\b/i, 'written off, remaining'],
  [/\bguess(es|ed)?\b/i, 'possible match'],
  [/\bfrom the thing itself\b/i, 'based on data for this product'],
  [/\bcome(s)? to\b/i, 'equals, total'],
]
/** The files whose exported functions are formulas of METHODOLOGY.md. */
const FORMULAS = ['allocation', 'calendar', 'device-ledger', 'packaging', 'transport', 'use-phase']

const files = globSync(SOURCES, { cwd: ROOT })
  .sort()
  .map((path) => readSource(ROOT, path))
const service = files.filter(({ path }) => path.startsWith('src/') && !path.endsWith('.test.ts'))
const pages = files.filter(({ path }) => path.startsWith('console/'))
const product = [...service, ...pages]

const isRelative = ({ specifier }: Import): boolean => specifier.startsWith('.')
const targetOf = ({ path }: SourceFile, { specifier }: Import): string => join(dirname(path), specifier)

/** `src/http/routes/orders.ts` is of http, `src/main.ts` of root. */
const folderOf = (path: string): string => {
  const [first, ...rest] = relative('src', path).split('/')
  return rest.length === 0 ? 'root' : first!
}

test('every folder imports only what it may', () => {
  const broken = service.flatMap((file) => {
    const folder = folderOf(file.path)
    const rule = MAY_IMPORT[folder]
    assert.ok(rule, `${folder} has no rule of what it may import`)
    return file.imports
      .filter((one) => !isAllowed(file, one, folder, rule))
      .map((one) => `${file.path} → ${isRelative(one) ? folderOf(targetOf(file, one)) : one.specifier}`)
  })
  assert.deepEqual([...new Set(broken)].toSorted(), NOT_YET.toSorted())
})

function isAllowed(file: SourceFile, one: Import, folder: string, { values, types, packages }: Rule): boolean {
  if (!isRelative(one)) {
    return packages.some((name) =>
      name === 'node:'
        ? one.specifier.startsWith(name)
        : one.specifier === name || one.specifier.startsWith(`${name}/`),
    )
  }
  const target = folderOf(targetOf(file, one))
  return target === folder || values.includes(target) || (one.typeOnly && types.includes(target))
}

test('the console is a client like any other: of the service it knows the document alone', () => {
  const broken = pages.flatMap((file) =>
    file.imports
      .filter((one) => (isRelative(one) ? !isOfConsole(file, one) : !CONSOLE_MAY_IMPORT.includes(one.specifier)))
      .map((one) => `${file.path} → ${one.specifier}`),
  )
  assert.deepEqual(broken, [])
})

function isOfConsole(file: SourceFile, one: Import): boolean {
  const target = targetOf(file, one)
  return target.startsWith('console/src/') || (one.typeOnly && target === 'console/generated/openapi.d.ts')
}

test('imports form no cycle, types included: neither among files, nor among folders', () => {
  const byFile = new Map<string, readonly string[]>()
  const byFolder = new Map<string, Set<string>>()
  for (const file of files) {
    const { path } = file
    const targets = file.imports.filter(isRelative).map((one) => targetOf(file, one))
    byFile.set(path, targets)
    if (!service.includes(file)) continue
    // The files beside the folders wire them; of these, the folders know the settings and the version.
    const folder = folderOf(path)
    const folders = targets
      .map(folderOf)
      .filter((to) => to !== folder && to !== 'root' && !NOT_YET.includes(`${path} → ${to}`))
    if (folder !== 'root') byFolder.set(folder, new Set([...(byFolder.get(folder) ?? []), ...folders]))
  }
  refuseCycles(byFile)
  refuseCycles(byFolder)
})

function refuseCycles(next: ReadonlyMap<string, Iterable<string>>): void {
  const done = new Set<string>()
  const follow = (place: string, trail: readonly string[]): void => {
    assert.ok(!trail.includes(place), [...trail.slice(trail.indexOf(place)), place].join(' → '))
    if (done.has(place)) return
    for (const one of next.get(place) ?? []) follow(one, [...trail, place])
    done.add(place)
  }
  for (const place of next.keys()) follow(place, [])
}

test('no file passes others on, or has a default export', () => {
  const found = product.flatMap(({ path, tree }) =>
    tree.statements
      .filter(
        (statement) =>
          (ts.isExportDeclaration(statement) && statement.moduleSpecifier) || ts.isExportAssignment(statement),
      )
      .map((statement) => `${path}: ${statement.getText()}`),
  )
  assert.deepEqual(found, [])
})

test('files are short, lines narrow, and names say something', () => {
  const untidy = files.flatMap(({ path, text }) => {
    const lines = text.split('\n')
    return [
      ...(lines.length - 1 > LINES_MAX ? [`${path}: ${lines.length - 1} lines`] : []),
      ...lines.flatMap((line, at) =>
        [...line].length > COLUMNS_MAX ? [`${path}:${at + 1}: ${[...line].length} columns`] : [],
      ),
      ...(MEANINGLESS_NAME.test(basename(path)) ? [`${path}: the name says nothing`] : []),
    ]
  })
  assert.deepEqual(untidy, [])
})

test('functions are short', () => {
  const long = product.flatMap(({ path, tree }) => {
    const found: string[] = []
    visit(tree, (node) => {
      if (!ts.isFunctionLike(node)) return
      const [first, last] = [node.getStart(tree), node.getEnd()].map(
        (at) => tree.getLineAndCharacterOfPosition(at).line,
      )
      const length = last! - first! + 1
      if (length > FUNCTION_LINES_MAX) found.push(`${path}:${first! + 1}: a function of ${length} lines`)
    })
    return found
  })
  assert.deepEqual(long, [])
})

test('every file says in its first line what it is for', () => {
  const silent = files.filter(({ text }) => !/^(#!.*\n)?\/\/ \S/.test(text)).map(({ path }) => path)
  assert.deepEqual(silent, [])
})

test('every file is used by another, or started', () => {
  const imported = new Set(files.flatMap((file) => file.imports.filter(isRelative).map((one) => targetOf(file, one))))
  const isStarted = ({ path }: SourceFile) =>
    files.some((other) => other.path !== path && new RegExp(`['/]${basename(path)}'`).test(other.text))
  const unused = files.filter((file) => !ENTRY_POINTS.test(file.path) && !imported.has(file.path) && !isStarted(file))
  assert.deepEqual(
    unused.map(({ path }) => path),
    [],
  )
})

test('what a file exports, another uses', () => {
  const users = new Map<string, string[]>()
  for (const file of files) {
    for (const target of new Set(file.imports.filter(isRelative).map((one) => targetOf(file, one)))) {
      users.set(target, [...(users.get(target) ?? []), file.text])
    }
  }
  const alone = files.flatMap(({ path, text }) =>
    [...text.matchAll(/^export (?:async )?(?:function\*?|const|class) (\w+)/gm)]
      .filter(([, name]) => !RUNNERS_OWN.test(name!) && !users.get(path)?.some((other) => takes(other, name!, path)))
      .map(([, name]) => `${path}: ${name}`),
  )
  assert.deepEqual(alone, [])
})

/** By its name, or with all that is there. */
const takes = (text: string, name: string, path: string): boolean =>
  new RegExp(`\\b${name}\\b|^(import \\* as|export \\*) .*/${basename(path)}'$`, 'm').test(text)

test('no word is used that has a better one', () => {
  const texts = [
    ...files.filter(({ path }) => path !== 'test/tidy.test.ts'),
    ...globSync(TEXTS, { cwd: ROOT }).map((path) => ({
      path,
      text: readFileSync(join(ROOT, path), 'utf8'),
    })),
  ]
  const found = texts.flatMap(({ path, text }) =>
    text.split('\n').flatMap((line, at) => betterWords(BANNED_WORDS, line, `${path}:${at + 1}`)),
  )
  assert.deepEqual(found, [])
})

test('the English texts of the console are in the terms of the field', () => {
  const paths = globSync('console/src/**/messages.en.json', { cwd: ROOT })
  assert.ok(paths.length > 3)
  const found = paths.flatMap((path) => {
    const messages = JSON.parse(readFileSync(join(ROOT, path), 'utf8')) as Readonly<Record<string, string>>
    return Object.entries(messages).flatMap(([key, text]) =>
      betterWords([...BANNED_WORDS, ...BANNED_IN_MESSAGES], text, `${path}: ${key}`),
    )
  })
  assert.deepEqual(found, [])
})

const betterWords = (banned: typeof BANNED_WORDS, text: string, place: string): readonly string[] =>
  banned.flatMap(([word, better]) => {
    const match = word.exec(text)
    return match ? [`${place}: "${match[0]}": better ${better}`] : []
  })

/** Pictures and words of several meanings, as parts of a name; the glossary of the field has another for each. */
const BANNED_IN_NAMES = new Set(
  (
    'Abreast Alike Aside Asked Breath Breathe Chapter Comer Dealt Fault Faults Folded Footing Footings Gone Guess ' +
    'Heaviest Journal Journals Kept Ladder Lane Lottery Manners Mend Misfit Newcomer QueuedJob Ruling Rung Somebody ' +
    'Standing Stranger Story Stretch Tally Telling Told Travel Trip Trips Untaken Wanted Whoever'
  ).split(' '),
)

test('exported names and names of files are words of the field', () => {
  const partsOf = (name: string) =>
    name.split(/(?=[A-Z])|[-_.]/).map((part) => part.charAt(0).toUpperCase() + part.slice(1))
  const found = product.flatMap(({ path, text }) => {
    const exported = text.matchAll(/^export (?:async )?(?:function\*?|const|class|interface|type) (\w+)/gm)
    return [basename(path), ...[...exported].map(([, name]) => name!)]
      .filter((name) => partsOf(name).some((part) => BANNED_IN_NAMES.has(part)))
      .map((name) => `${path}: ${name}`)
  })
  assert.deepEqual(found, [])
})

/** All that requests lead to. Backups, migrations and verification name tables that they read from the catalogue. */
const SENDS_STATEMENTS = /^src\/postgres\/(?!(embedded|verification)\/|migrations\.ts$|backup\/backup)(?!.*\.test\.ts$)/

test('a value stands in no SQL statement: only constants, by their capitals, and calls that make SQL', () => {
  const statements = service
    .filter(({ path }) => SENDS_STATEMENTS.test(path))
    .flatMap(({ path, tree }) => {
      const found: { readonly path: string; readonly part: ts.Expression }[] = []
      visit(tree, (node) => {
        if (!ts.isTemplateExpression(node) || !isStatement(node)) return
        found.push(...node.templateSpans.map(({ expression }) => ({ path, part: expression })))
      })
      return found
    })
  assert.ok(statements.length > 10)
  const values = statements.filter(({ part }) => !isSql(part)).map(({ path, part }) => `${path}: ${part.getText()}`)
  assert.deepEqual(values, [])
})

/** Whether it is an argument of `query()` or the member `text` of a prepared statement. */
function isStatement(template: ts.TemplateExpression): boolean {
  const { parent } = template
  if (ts.isPropertyAssignment(parent)) return parent.name.getText() === 'text'
  if (!ts.isCallExpression(parent) || !ts.isPropertyAccessExpression(parent.expression)) return false
  return parent.expression.name.text === 'query'
}

const isSql = (part: ts.Expression): boolean =>
  ts.isIdentifier(part) ? /^[A-Z_]+$/.test(part.text) : ts.isCallExpression(part) || ts.isAwaitExpression(part)

test('every section of METHODOLOGY.md that the code names is there', () => {
  const there = anchorsOf(readFileSync(join(ROOT, 'METHODOLOGY.md'), 'utf8'))
  const named = product.flatMap(({ path, text }) =>
    [...text.matchAll(/METHODOLOGY\.md#([\w-]+)|\banchor: '([\w-]+)'/g)].map(([, link, member]) => ({
      path,
      anchor: link ?? member!,
    })),
  )
  assert.ok(named.length > 0)
  assert.deepEqual(
    named.filter(({ anchor }) => !there.has(anchor)),
    [],
  )
})

test('every formula says in its docstring what it computes, and where that is explained', () => {
  const bare = product
    .filter(({ path }) => FORMULAS.some((name) => path === `src/engine/${name}.ts`))
    .flatMap(({ path, tree }) => tree.statements.filter(isExportedQuantity).map((statement) => ({ path, statement })))
  assert.ok(bare.length >= FORMULAS.length)
  const silent = bare.filter(({ statement }) => ts.getJSDocCommentsAndTags(statement).length === 0)
  assert.deepEqual(
    silent.map(({ path, statement }) => `${path}: ${statement.getText().split('\n')[0]}`),
    [],
  )
})

/** An exported function that returns a quantity; one that returns a bare number or a truth is no formula. */
function isExportedQuantity(statement: ts.Statement): boolean {
  const isExported =
    ts.canHaveModifiers(statement) &&
    ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
  if (!isExported) return false
  const value = ts.isVariableStatement(statement) ? statement.declarationList.declarations[0]?.initializer : statement
  if (!value || !(ts.isFunctionDeclaration(value) || ts.isArrowFunction(value))) return false
  return !/^(number|boolean)$/.test(value.type?.getText() ?? '')
}
