// The corpus of hostile bodies for POST /api/customer-orders: what must be refused, where, and what must be accepted.
import { fieldCases } from './field-bodies.ts'
import { createWorkbench } from './hostile-order.ts'
import { numberCases } from './number-bodies.ts'
import { structureCases } from './structure-bodies.ts'
import { syntaxCases } from './syntax-bodies.ts'
import { textCases } from './text-bodies.ts'
import { transferCases } from './transfer-bodies.ts'
import type { HostileCase, HostileIds } from './hostile-order.ts'

/** All cases, each with a name of its own. Whatever the status, no answer may be 5xx. */
export function buildHostileBodies(ids: HostileIds): readonly HostileCase[] {
  const bench = createWorkbench(ids)
  return [fieldCases, numberCases, textCases, structureCases, syntaxCases, transferCases].flatMap((make) => make(bench))
}
