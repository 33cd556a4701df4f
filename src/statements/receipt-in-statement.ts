// Looks for the order of a receipt in a statement: whoever has the receipt sees whether the order was counted.
import { digestOf } from '../documents/canonical.ts'
import { explainFailure, type Checked } from '../documents/check-seal.ts'
import { Decoder } from '../strict-json/decoder.ts'
import { parseExactJson, quoteValue } from '../strict-json/exact-tree.ts'

/**
 * @param statement that was verified
 * @throws SyntaxError if the receipt is no JSON
 */
export function findReceipt(statement: string, receipt: string): Checked {
  const [whole, order] = [new Decoder(parseExactJson(statement)), new Decoder(parseExactJson(receipt))]
  try {
    const received = order.get('order').get('as_received')
    const [customer, id] = [received.get('customer_id').text(), received.get('order_id').text()]
    const name = `The order ${quoteValue(id)} of ${quoteValue(customer)}, of which there is a receipt,`
    const rows = whole
      .get('orders')
      .list()
      .filter((one) => one.get('order_id').value === id)
    if (whole.get('customer_id').value !== customer || rows.length === 0)
      return wrong(`${name} is not in the statement.`)
    // Statements of version 3 say nothing of what was received.
    const hashes = rows.map((one) => one.get('content_hash').value)
    return hashes.includes(digestOf(received.value!)) || hashes.every((hash) => hash === undefined)
      ? { checked: [`${name} is in the statement.`], differences: [] }
      : wrong(`${name} is in the statement with other content than the receipt shows.`)
  } catch (error) {
    return wrong(`The receipt cannot be read. ${explainFailure(error)}`)
  }
}

const wrong = (sentence: string): Checked => ({ checked: [], differences: [sentence] })
