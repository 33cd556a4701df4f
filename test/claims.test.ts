// No text that the program can print, nor its documentation, makes a claim that is forbidden, or compares with nothing.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import ts from 'typescript'
import { ABOUT_EMISSIONS, CLAIMS, COMPARED, COMPARISON, EXEMPT, FORBIDDEN, REFERENCE } from './claims.ts'
import { readSource, visit } from './source-file.ts'

const ROOT = join(import.meta.dirname, '..')

interface Text {
  readonly from: string
  readonly text: string
}

const filesOf = (pattern: string): readonly string[] =>
  globSync(pattern, { cwd: ROOT })
    .filter((path) => !/node_modules|\.test\.ts$|CHANGELOG/.test(path))
    .toSorted()

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

function valuesIn(pattern: string): readonly Text[] {
  return filesOf(pattern).flatMap((from) => {
    const found: Text[] = []
    JSON.parse(read(from), (_, value: unknown) => {
      if (typeof value === 'string') found.push({ from, text: value })
      return value
    })
    return found
  })
}

function linesIn(pattern: string): readonly Text[] {
  return filesOf(pattern).flatMap((from) =>
    read(from)
      .split('\n')
      .map((text) => ({ from, text })),
  )
}

function stringsIn(pattern: string): readonly Text[] {
  return filesOf(pattern).flatMap((from) => {
    const found: Text[] = []
    const { tree } = readSource(ROOT, from)
    visit(tree, (node) => {
      const text = isPart(node.parent) ? null : textOf(node)
      if (text !== null && text.trim() !== '') found.push({ from, text })
    })
    return found
  })
}

/** True for what is read as a part of the text around it. */
const isPart = (parent: ts.Node | undefined): boolean => parent !== undefined && textOf(parent) !== null

/** The text of a string, of strings that are added, or of an array of strings, which messages are written in. */
function textOf(node: ts.Node): string | null {
  if (ts.isStringLiteralLike(node) || ts.isJsxText(node)) return node.text
  if (ts.isTemplateExpression(node))
    return node.head.text + node.templateSpans.map((one) => `…${one.literal.text}`).join('')
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken) {
    const parts = [textOf(node.left), textOf(node.right)]
    return parts.every((part) => part === null) ? null : parts.map((part) => part ?? '…').join('')
  }
  if (!ts.isArrayLiteralExpression(node) || node.elements.length === 0) return null
  const parts = node.elements.map(textOf)
  return parts.every((part) => part !== null) ? parts.join('') : null
}

function sentencesIn(pattern: string): readonly Text[] {
  return filesOf(pattern).flatMap((from) =>
    read(from)
      .replaceAll(/^ *```[\s\S]*?^ *```$/gm, '')
      .split(/\n\s*\n|(?<=[.!?|])\s+/)
      .map((text) => ({ from, text: text.replaceAll(/\s+/g, ' ') })),
  )
}

/** What the console and the service say: values of JSON, and strings of the code. */
const PRINTED = [
  ...['console/src/**/*.json', 'test/golden/openapi.json'].flatMap(valuesIn),
  ...['src/**/*.ts', 'console/src/**/*.{ts,tsx}', 'console/public/*.js', 'clients/typescript/src/*.ts'].flatMap(
    stringsIn,
  ),
  ...['data/sources.csv', 'data/type-assumptions.csv', 'console/*.html'].flatMap(linesIn),
]
/** What is read beside it, by sentence. The changelog and decisions tell of the code. */
const DOCUMENTED = ['*.md', 'docs/*.md', 'data/*.md', 'clients/{,*/}*.md', 'console/*.md'].flatMap(sentencesIn)

const isExempt = ({ text }: Text): boolean => EXEMPT.some(([part]) => text.includes(part))
const shown = ({ from, text }: Text, why: string): string => `${from}: ${why}: ${text.slice(0, 300)}`

/** Nobody reads the queries of the database: their `offset` counts rows, their `lower` is of letters. */
const isSql = ({ from, text }: Text): boolean =>
  from.startsWith('src/postgres/') && /\b(select|from|where)\b|^offset 0$/.test(text)
const isAllowed = (text: Text): boolean => isExempt(text) || isSql(text)
const isComparedWithNothing = (text: string): boolean =>
  ABOUT_EMISSIONS.test(text) && COMPARISON.test(text) && !REFERENCE.test(text)

test('no text claims that a device or rental is neutral, green or the like, or that something is offset', () => {
  const found = [...PRINTED, ...DOCUMENTED].flatMap((text) =>
    FORBIDDEN.flatMap(([claim, because]) => {
      const match = claim.exec(text.text)
      return match && !isAllowed(text) ? [shown(text, `"${match[0]}" (${because})`)] : []
    }),
  )
  assert.deepEqual(found, [])
})

test('a text that compares emissions names what it compares them with', () => {
  const found = [...PRINTED, ...DOCUMENTED]
    .filter((one) => isComparedWithNothing(one.text) && !isAllowed(one))
    .map((text) => shown(text, `"${COMPARISON.exec(text.text)![0]}"`))
  assert.deepEqual(found, [])
})

test('claims and comparisons as they are made elsewhere are found, in both languages', () => {
  assert.deepEqual(
    CLAIMS.filter((text) => !FORBIDDEN.some(([claim]) => claim.test(text))),
    [],
  )
  assert.deepEqual(
    COMPARED.without.filter((text) => !isComparedWithNothing(text)),
    [],
  )
  assert.deepEqual(COMPARED.with.filter(isComparedWithNothing), [])
})

test('every exemption is of a text that is there, and says why', () => {
  const all = [...PRINTED, ...DOCUMENTED].map(({ text }) => text)
  const without = EXEMPT.filter(([part, because]) => because === '' || !all.some((text) => text.includes(part)))
  assert.deepEqual(without, [])
})
