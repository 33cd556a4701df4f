// A statement asked for as a PDF: what is answered is the PDF of what is answered as JSON.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { drawProcessOf } from '../bench/process-clock.ts'
import { CONSOLIDATION_APPROACHES, classify } from '../src/engine/inventory-boundary.ts'
import { PARTS } from '../src/engine/numbers/emission.ts'
import { runToCompletion } from '../src/engine/numbers/steps.ts'
import { STATEMENT_TEXTS } from '../src/statements/texts.ts'
import { createRenderPdf, openPdfRendering } from '../src/pdf-rendering.ts'
import { statementModel } from '../src/statement-pdf/model.ts'
import { renderStatementPdf } from '../src/statement-pdf/document.ts'
import { SENTENCES } from '../src/statement-pdf/sentences-de.ts'
import { boundaryOf, statementBoundary, type Statement } from '../src/statements/statement.ts'
import { until } from './command.ts'
import { findTags, readPdf } from './read-pdf.ts'
import { BOX, VAN, laptop, orderOf } from './receipt-client.ts'
import { statementToDraw } from './statement-to-draw.ts'
import { startService } from './service.ts'

const {
  server: { url },
  key,
} = await startService()
const PATH = `${url}/api/statements/acme/2025`
const get = (query: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
  fetch(`${PATH}${query}`, { headers: { 'x-api-key': key, ...headers } })

test('the PDF has the totals of the statement, in the language asked for', async () => {
  const posted = await fetch(`${url}/api/customer-orders`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify(orderOf('acme', 'one', '2025-03-01', [laptop('S1', 6), laptop('S2', 12), VAN, BOX])),
  })
  assert.equal(posted.status, 200)
  const knownAt = new Date().toISOString()
  const statement = (await (await get(`?known_at=${knownAt}`)).json()) as Statement
  const response = await get(`?format=pdf&lang=de&known_at=${knownAt}`, { accept: 'application/pdf' })
  assert.equal(response.status, 200)
  assert.equal(response.headers.get('content-type'), 'application/pdf')
  assert.match(response.headers.get('content-disposition')!, /^attachment; filename="cradle-statement-2025\.pdf"$/)
  const pdf = await readPdf(await response.bytes())
  assert.equal(pdf.metadata['Title'], 'Emissionsnachweis 2025 für acme')
  const rows = pdf.tags.flatMap((page) => findTags(page, 'TR')).map(({ text }) => text)
  const exactly = (kilograms: number | string): string => Number(kilograms).toFixed(6).replace('.', ',')
  for (const { serial_number: serial, opening, year, closing } of statement.devices) {
    const amounts = [opening, year, closing].map((one) => exactly(one.total_emission)).join(' ')
    assert.ok(rows.includes(`${serial} Apple MacBook Air 13 M3 256GB ${amounts}`), `${serial} ${amounts}`)
  }
  assert.ok(rows.some((row) => row.endsWith(exactly(statement.summary.total_emission))))
  assert.ok(pdf.pages.at(-1)!.includes(statement.signed_by.fingerprint))
})

test('a statement that cannot be drawn, or is not waited for, does not hold up the next', async () => {
  const digest = runToCompletion(statementModel(statementToDraw(1)))
  const told: string[] = []
  const drawing = openPdfRendering(({ message }) => told.push(message))
  const drawPdf = createRenderPdf(drawing)
  try {
    const { signal } = new AbortController()
    const gone = AbortSignal.abort(new Error('gone'))
    const drawn = [
      drawPdf(1, digest, 'en', signal),
      drawPdf(1, { ...digest, summary: null as never }, 'en', signal),
      drawPdf(1, digest, 'en', gone),
      drawPdf(2, digest, 'en', signal),
    ]
    const [first, broken, left, last] = await Promise.allSettled(drawn)
    assert.deepEqual([first?.status, broken?.status, left?.status], ['fulfilled', 'rejected', 'rejected'])
    assert.deepEqual(last, first)
    assert.deepEqual(Buffer.concat([...renderStatementPdf(digest, 'en')]), Buffer.from(await drawn[0]!))
    assert.deepEqual(told, [])
  } finally {
    await drawing.stop()
  }
})

test('who waits for a statement whose process ends is told to come again, and of no file', async () => {
  const drawn = async () => {
    const { status } = await get('?format=pdf')
    return status === 200
  }
  /** On a busy machine, the request can come after the end of the process: then another one draws it. */
  const askAndKill = async (tries: number): Promise<Response> => {
    await until(drawn, () => 'no process draws')
    const pid = drawProcessOf(process.pid)!
    process.kill(pid, 'SIGSTOP')
    const waiting = get('?format=pdf')
    assert.equal((await get('?format=json')).status, 200)
    process.kill(pid, 'SIGKILL')
    const response = await waiting
    return response.status === 200 && tries > 1 ? askAndKill(tries - 1) : response
  }
  const { status, headers } = await askAndKill(5)
  assert.deepEqual(
    [status, ...['retry-after', 'content-disposition', 'dataset-release'].map((name) => headers.get(name))],
    [503, '1', null, null],
  )
  await until(drawn, () => 'no other is started')
})

test('every sentence of a statement has a German one, and no other has', () => {
  const { basis, exclusions, notes } = STATEMENT_TEXTS
  const reasons = CONSOLIDATION_APPROACHES.flatMap((approach) =>
    PARTS.map((part) => classify(part, boundaryOf(statementBoundary(approach))).reason.message),
  )
  const sentences = new Set([...basis, ...exclusions, ...notes, ...reasons])
  assert.deepEqual([...SENTENCES.keys()].sort(), [...sentences].sort())
})

test('a format or a language that there is not is refused', async () => {
  for (const [query, fault] of [
    ['?format=docx', 'Must be one of json, xlsx, pdf; it is "docx"'],
    ['?format=pdf&lang=fr', 'Must be one of en, de; it is "fr"'],
  ] as const) {
    const response = await get(query)
    assert.equal(response.status, 400)
    assert.ok((await response.text()).includes(JSON.stringify(fault).slice(1, -1)))
  }
})
