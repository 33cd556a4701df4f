// What an auditor asks, answered by the tools alone: each number is compared with the receipts it comes from.
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { verifyReceipt } from '../src/receipts/verify-receipt.ts'
import type { AskedService } from './asked-service.ts'
import type { Json } from './document-check.ts'
import { connectOverHttp, type McpClient } from './mcp-client.ts'
import { createOrderClient } from './order-client.ts'
import { assertEqual } from './receipt-client.ts'
import { sharedService } from './shared-service.ts'

interface Cases {
  readonly orders: readonly Json[]
  readonly events: readonly { readonly customer_id: string; readonly order_id: string; readonly event: Json }[]
  readonly questions: readonly {
    readonly question: string
    readonly tool: string
    readonly arguments: Json
    /** JSON pointer to the number in the result. */
    readonly number: string
    /** The figures of receipts that add up to the number: the order as customer/order, and a JSON pointer. */
    readonly receipts: readonly { readonly order: string; readonly at: string }[]
  }[]
}

const FILE = join(import.meta.dirname, 'fixtures', 'auditor-questions.json')
const { orders, events, questions } = JSON.parse(readFileSync(FILE, 'utf8')) as Cases

let service: AskedService
let agent: McpClient
before(async () => {
  service = await sharedService()
  const key = await service.createKey(['orders:write', 'orders:read', 'catalogue:read'], null, 'audited')
  const client = createOrderClient(service, key)
  agent = await connectOverHttp(service.server.url, key)
  for (const one of orders) {
    const { isError, content } = await agent.call('create_order', one)
    assert.equal(isError, false, JSON.stringify(content))
  }
  for (const { customer_id, order_id, event } of events) await client.tell(customer_id, order_id, event)
})
after(async () => {
  await agent.close()
  await service.stop()
})

const at = (document: unknown, pointer: string): unknown =>
  pointer
    .split('/')
    .slice(1)
    .reduce((value, name) => (value as Json | undefined)?.[name], document)

const MILLIGRAM_DECIMALS = 6
/** A decimal as a whole number of millionths, so that sums are exact. */
const millionths = (decimal: unknown): bigint => {
  assert.match(String(decimal), /^-?\d+(\.\d{1,6})?$/)
  const [whole, part = ''] = String(decimal).split('.') as [string, string?]
  return BigInt(whole + part.padEnd(MILLIGRAM_DECIMALS, '0'))
}

/** Receipts as the tools give them, each recomputed offline once. */
const receipts = new Map<string, unknown>()
async function receiptOf(order: string): Promise<unknown> {
  if (!receipts.has(order)) {
    const { contents } = await agent.client.readResource({ uri: `cradle://receipts/${order}` })
    const [receipt] = contents
    assert.ok(receipt && 'text' in receipt)
    assertEqual(verifyReceipt(receipt.text, service.server.referenceData.matching))
    receipts.set(order, JSON.parse(receipt.text))
  }
  return receipts.get(order)
}

test('there are thirty questions or more, and they use every tool that reads what is stored', () => {
  assert.ok(questions.length >= 30)
  const reading = ['explain_number', 'find_transport_or_packaging', 'get_device_ledger', 'get_order', 'get_statement']
  assert.deepEqual([...new Set(questions.map(({ tool }) => tool))].sort(), [...reading, 'report_emissions'])
})

for (const { question, tool, arguments: args, number, receipts: parts } of questions) {
  test(question, async () => {
    const { isError, content } = await agent.call(tool, args)
    assert.equal(isError, false, JSON.stringify(content))
    let sum = 0n
    for (const { order, at: pointer } of parts) sum += millionths(at(await receiptOf(order), pointer))
    assert.equal(millionths(at(content, number)), sum)
    if (tool === 'explain_number') assert.deepEqual(content['recomputed'], { outcome: 'equal' })
  })
}
