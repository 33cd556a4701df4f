// Prints a statement as JSON, with the digests of its orders, and signs it.
import type { KeyObject } from 'node:crypto'
import { signDocument, type Run } from '../documents/signature.ts'
import { rationalOfNumber, toExactText } from '../engine/numbers/rational.ts'
import { mapResumable, runToCompletion, type Resumable } from '../engine/numbers/steps.ts'
import { JsonNumber, toJsonValue, type JsonObject, type JsonValue } from '../strict-json/exact-tree.ts'
import { completenessOf } from './completeness.ts'
import { STATEMENT_FORMAT, WHOLE_NUMBERS, type Statement, type StatementContent } from './statement.ts'

/** As JSON in the form that its media type names. */
export function* printStatement(content: StatementContent): Resumable<JsonObject> {
  const tree = yield* printMembers(content)
  if (content.media_type !== STATEMENT_FORMAT) return tree
  return { ...tree, completeness: toJsonValue(yield* completenessOf(tree)) }
}

/** Without the digests of orders; with a step for every element of a list that is a direct member. */
export function* printMembers(content: StatementContent): Resumable<JsonObject> {
  const print = content.media_type === STATEMENT_FORMAT ? printValue : (_: string, value: unknown) => toJsonValue(value)
  const members: [string, JsonValue][] = []
  for (const [name, value] of Object.entries(content) as [string, unknown][]) {
    if (value === undefined) continue
    const printed = Array.isArray(value)
      ? yield* mapResumable(value as unknown[], (one) => print(name, one))
      : print(name, value)
    members.push([name, printed])
  }
  return Object.fromEntries(members)
}

/** @param name of the member; for an element of a list, of the list */
function printValue(name: string, value: unknown): JsonValue {
  if (typeof value === 'number') {
    const text = toExactText(rationalOfNumber(value))
    return WHOLE_NUMBERS.has(name) ? new JsonNumber(text) : text
  }
  if (Array.isArray(value)) return value.map((one) => printValue(name, one))
  if (typeof value !== 'object' || value === null) return toJsonValue(value)
  const members = Object.entries(value as Readonly<Record<string, unknown>>).filter(([, one]) => one !== undefined)
  return Object.fromEntries(members.map(([one, inner]) => [one, printValue(one, inner)]))
}

export interface SignedStatement {
  readonly statement: Statement
  /** The statement as exact JSON. */
  readonly tree: JsonObject
}

/** @param run does the work of printing and hashing */
export async function signStatement(
  content: StatementContent,
  privateKey: KeyObject,
  run: Run = runToCompletion,
): Promise<SignedStatement> {
  const printed = await run(printStatement(content))
  const { tree, members } = await signDocument(printed, privateKey, 'vnd.cradle.statement+jws', run)
  return { statement: { ...content, ...members }, tree }
}
