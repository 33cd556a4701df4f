// A file read as an import reads it: its orders, and what POST's own rules and the file have wrong with them.
import { open } from 'node:fs/promises'
import type { ReferenceData } from '../src/engine/reference/reference-data.ts'
import type { Problem } from '../src/engine/order.ts'
import { NO_MAPPINGS } from '../src/engine/reference/product-match.ts'
import { PROBLEMS_MAX } from '../src/engine/validate-order.ts'
import { OrderParams } from '../src/contract/order-schema.ts'
import { parseStrictJson } from '../src/strict-json/parse.ts'
import { parseOrder } from '../src/contract/parse-order.ts'
import { validatorOf } from '../src/http/schemas/registry.ts'
import { JSON_NESTING_MAX } from '../src/config.ts'
import { detectSettings, type Detected } from '../src/spreadsheets/detect-settings.ts'
import type { FileOrderError, FileOrder } from '../src/spreadsheets/file-order.ts'
import { locateErrors } from '../src/spreadsheets/locate-errors.ts'
import type { ParseJson } from '../src/spreadsheets/read-json-lines.ts'
import { readOrders } from '../src/spreadsheets/read-orders.ts'
import { LAYOUTS } from '../src/spreadsheets/columns.ts'
import type { Settings } from '../src/spreadsheets/settings.ts'
import type { ByteSource } from '../src/spreadsheets/byte-source.ts'

export const parseJson: ParseJson = (text) =>
  parseStrictJson(Buffer.from(text), { nestingMax: JSON_NESTING_MAX, problemsMax: PROBLEMS_MAX })

export const sourceOf = (bytes: Buffer): ByteSource => ({
  bytes: bytes.length,
  read: (position, length) => Promise.resolve(bytes.subarray(position, position + length)),
})

/** A file on disk, to be closed by its caller. */
export async function openSource(path: string): Promise<ByteSource & AsyncDisposable> {
  const file = await open(path)
  const { size } = await file.stat()
  return {
    bytes: size,
    read: async (position, length) => (await file.read(Buffer.allocUnsafe(length), 0, length, position)).buffer,
    [Symbol.asyncDispose]: () => file.close(),
  }
}

/** The layouts of files of orders. */
export const ORDER_LAYOUTS = LAYOUTS.filter((layout) => layout !== 'events')

/** What the settings of a file are found to be, by its text or its bytes. */
export const detect = (
  file: string | Buffer,
  asked: Partial<Settings> = {},
  name: string | null = null,
): Promise<Detected> => detectSettings(sourceOf(Buffer.from(file)), name, asked, parseJson)

/** The settings of a file that tells all of them. */
export async function settingsOf(source: ByteSource, asked: Partial<Settings> = {}): Promise<Settings> {
  const detected = await detectSettings(source, null, asked, parseJson)
  if (!detected.ok) throw new Error(JSON.stringify(detected.problems))
  return detected.settings
}

/** All orders of a file. */
export async function ordersOf(file: string | Buffer, asked: Partial<Settings> = {}): Promise<readonly FileOrder[]> {
  const source = sourceOf(Buffer.from(file))
  const orders: FileOrder[] = []
  for await (const batch of readOrders(source, await settingsOf(source, asked), parseJson)) orders.push(...batch)
  return orders
}

/** What POST's rules find wrong with a body. */
export function createRules(referenceData: ReferenceData): (body: unknown) => readonly Problem[] {
  const validate = validatorOf(OrderParams)
  return (body) => {
    const read = parseOrder(body, validate, referenceData, NO_MAPPINGS, null)
    return read.ok ? [] : read.problems
  }
}

/** All errors of an order, as an import tells them. */
export const faultsOf = (order: FileOrder, rules: (body: unknown) => readonly Problem[]): readonly FileOrderError[] =>
  locateErrors(order, rules(order.body))
