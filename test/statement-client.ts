// Asks for the yearly statements of a customer, and verifies each before anything is made of it.
import assert from 'node:assert/strict'
import type { FastifyInstance } from 'fastify'
import type { Statement } from '../src/statements/statement.ts'
import { verifyStatement } from '../src/statements/verify-statement.ts'
import { withNumbers } from './document-numbers.ts'

export const statementPath = (customer: string, year: number, query = ''): string =>
  `/api/statements/${encodeURIComponent(customer)}/${year}${query}`

export interface ReadStatement {
  readonly text: string
  readonly statement: Statement
}

/** @param key of the account */
export async function readStatement(
  app: FastifyInstance,
  key: string,
  customer: string,
  year: number,
  query = '',
): Promise<ReadStatement> {
  const url = statementPath(customer, year, query)
  const { statusCode, body } = await app.inject({ url, headers: { 'x-api-key': key } })
  assert.equal(statusCode, 200, body)
  const statement = withNumbers<Statement>(body)
  const verification = await verifyStatement(body, statement.signed_by.fingerprint)
  assert.equal(verification.outcome, 'equal', JSON.stringify(verification))
  return { text: body, statement }
}
