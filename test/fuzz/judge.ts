// Holds an answer against the document and against what its request may be answered; says what is wrong in a sentence.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { createDocumentCheck, type OpenApi } from '../document-check.ts'
import type { Answer } from '../raw-http.ts'
import { assertNoLeak } from '../assert-no-leak.ts'
import type { Accepts, Built } from './build-request.ts'
import type { Operation } from './documented-operations.ts'
import { showsSecret } from './secrets.ts'

export type Judge = (built: Built, answer: Answer) => string | null

export function createJudge(document: OpenApi, password: string): Judge {
  const check = createDocumentCheck(document)
  return (built, answer) => {
    const { sent, told, expected } = built
    const method = sent.method ?? 'GET'
    try {
      check.answer(method, told.path, answer)
      // What was accepted may hold the client's own words; a refusal holds no more of them than a few.
      if (answer.status !== 200) assertNoLeak(answer.text, told.path)
    } catch (error) {
      return (error as Error).message
    }
    if (answer.status >= 500) return 'A fault of the service'
    if (showsSecret(withoutNewKey(built, answer), password)) return 'The answer shows a secret'
    if (expected !== null && !expected.includes(answer.status)) return `Not ${expected.join(' or ')}`
    if (comparesWithNew(built, answer)) return 'The answer compares with new devices'
    if (answer.status === 405 && !answer.headers['allow']) return 'Allow is missing'
    return strangerFault(built, answer)
  }
}

/** Each comparison of rented with new devices has a break-even; it is an answer of its own, and in no other. */
const comparesWithNew = ({ operation }: Built, { status, text }: Answer): boolean =>
  status === 200 && operation.id !== 'getImpact' && text.includes('break_even')

/** A key that is made is shown this once. */
const withoutNewKey = ({ operation, isOwn }: Built, { status, text }: Answer): string =>
  operation.id === 'createKey' && isOwn && status === 200 ? text.replace(/"key":"\w+"/, '') : text

/** A member that nobody asked for has no effect and is told. */
function strangerFault({ stranger }: Built, { status, headers }: Answer): string | null {
  if (stranger === null || stranger === '' || status !== 200) return null
  const ignored = String(headers['x-ignored-members'])
  return ignored.includes(encodeURIComponent(stranger)) ? null : `X-Ignored-Members is ${ignored}, without ${stranger}`
}

/** Whether the document's own schema accepts a body; only days that the calendar has are days. */
export function createAccepts(document: OpenApi): Accepts {
  const ajv = new Ajv2020({ strict: false, formats: { date: isDay, 'date-time': true } })
  ajv.addSchema(document, 'document')
  const known = new Map<string, ValidateFunction>()
  return ({ id, body }: Operation, value) => {
    let validate = known.get(id)
    if (!validate) known.set(id, (validate = ajv.compile({ $ref: `document${String(body!['$ref'])}` })))
    return validate(value)
  }
}

function isDay(text: string): boolean {
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}
