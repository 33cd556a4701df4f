// Reads the PDF of a statement back with another program and checks its text and its accessibility tags.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SaxesParser } from 'saxes'
import { PARTS } from '../engine/numbers/emission.ts'
import { runToCompletion } from '../engine/numbers/steps.ts'
import { findTags, readPdf, type ReadPdf, type TagNode } from '../../test/read-pdf.ts'
import { statementToDraw } from '../../test/statement-to-draw.ts'
import type { Statement } from '../statements/statement.ts'
import { statementModel } from './model.ts'
import { renderStatementPdf } from './document.ts'
import type { Language } from './theme.ts'

const draw = (statement: Statement, language: Language = 'en'): Buffer =>
  Buffer.concat([...renderStatementPdf(runToCompletion(statementModel(statement)), language)])

const statement = statementToDraw(75)
const bytes = draw(statement)
const pdf = await readPdf(bytes)

const SIGNS: Readonly<Record<Language, string>> = { en: ',.', de: '.,' }
/** Formats numbers independently of the code under test, without Intl. */
function exactly(kilograms: number, language: Language): string {
  const [group, point] = SIGNS[language]
  const [whole, decimals] = Math.abs(kilograms).toFixed(6).split('.') as [string, string]
  return `${kilograms < 0 ? '−' : ''}${whole.replace(/\B(?=(\d{3})+$)/g, group!)}${point}${decimals}`
}

const all = (read: ReadPdf, role: string): readonly TagNode[] => read.tags.flatMap((page) => findTags(page, role))
const rowsOf = (read: ReadPdf): readonly string[] => all(read, 'TR').map(({ text }) => text)

for (const language of ['en', 'de'] as const) {
  test(`the tables have every figure of the statement, to the last digit (${language})`, async () => {
    const rows = new Set(rowsOf(language === 'en' ? pdf : await readPdf(draw(statement, language))))
    const has = (row: string) =>
      assert.ok(
        [...rows].some((one) => one.endsWith(row)),
        row,
      )
    const { summary, devices, by_month: months, by_part: parts } = statement
    for (const device of devices) {
      const amounts = [device.opening, device.year, device.closing].map((one) => exactly(one.total_emission, language))
      has([...amounts].join(' '))
      assert.ok(
        [...rows].some((one) => one.startsWith(`${device.serial_number} `)),
        device.serial_number,
      )
    }
    for (const month of months) {
      has([...PARTS.map((part) => month[part]), month.total_emission].map((one) => exactly(one, language)).join(' '))
    }
    has(
      [...parts.map(({ emission }) => emission), summary.total_emission].map((one) => exactly(one, language)).join(' '),
    )
    assert.match([...rows].join('\n'), /corrections of .* −1\.250*$|Korrekturen .* −1,250*$/m)
    has(
      [summary.opening_emission, summary.total_emission, summary.closing_emission]
        .map((one) => exactly(one, language))
        .join(' '),
    )
    for (const { value } of statement.factors)
      assert.match([...rows].join('\n'), new RegExp(value.replace('.', '[.,]')))
    for (const name of [statement.hash.value, statement.signed_by.fingerprint]) has(name)
  })
}

/** Three significant digits, without Intl. */
const short = (kilograms: number): string => Number((kilograms / 1000).toPrecision(3)).toFixed(2)

test('the cover says whose emissions of which year, how much, between what, and what that means', () => {
  const [cover] = pdf.pages
  const { total_emission: total, uncertainty } = statement.summary
  const [low, high] = [short(uncertainty.low), short(uncertainty.high)]
  const interval = `between ${low} t CO₂e and ${high} t CO₂e, with 95 % confidence`
  const words = ['Müller & Söhne GmbH', 'Northwind Rentals', 'Emissions of rented devices in 2025', 'This is what']
  for (const one of [...words, `${short(total)} t CO₂e ${interval}`]) assert.ok(cover!.includes(one), one)
  assert.doesNotMatch(cover!, /Preliminary/)
})

test('a preliminary statement says so on its cover', async () => {
  const { pages } = await readPdf(draw({ ...statement, is_preliminary: true }, 'de'))
  assert.match(pages[0]!, /Vorläufig: Das Jahr 2025 ist noch nicht ganz abgeschlossen/)
})

test('corrections of earlier years are a chapter of their own, with every cause and the sum of each year', async () => {
  const cause = {
    event_id: 'back-17',
    order_id: 'one',
    recorded_at: '2025-03-02T08:00:00.000Z',
    reasons: ['early_return'] as const,
    order_ids: ['one'],
    emission: -2.5,
  }
  const late = { ...cause, event_id: null, order_id: 'late', reasons: ['order'] as const, emission: 1.25 }
  const years = [{ year: 2024, emission: -1.25, causes: [cause, late] }]
  const earlier = { emission: -1.25, emission_of_the_year: 3, years }
  const read = await readPdf(draw({ ...statement, corrections_of_earlier_years: earlier }))
  assert.ok(read.bookmarks.includes('Corrections of earlier years'))
  const rows = rowsOf(read)
  for (const row of [/^2024 .* Event back-17 one −2\.50/, /^2024 .* Order late one 1\.25/, /^All 2024 −1\.25/])
    assert.ok(
      rows.some((one) => row.test(one)),
      row.source,
    )
  assert.ok(!pdf.bookmarks.includes('Corrections of earlier years'))
})

test('it is tagged: a title, a language, headings in their ranks, tables with header cells, figures in words', () => {
  assert.equal(pdf.metadata['Title'], 'Emissions statement 2025 for Müller ＆ Söhne GmbH')
  assert.equal(pdf.metadata['Language'], 'en')
  assert.match(pdf.xmp, /<pdfuaid:part>1</)
  const headings = pdf.tags.flatMap((page) => page.children[0]!.children.filter(({ role }) => /^H\d$/.test(role)))
  assert.equal(headings[0]!.role, 'H1')
  headings.reduce((rank, { role, text }) => {
    assert.ok(Number(role[1]) <= rank + 1, text)
    return Number(role[1])
  }, 0)
  const figures = all(pdf, 'Figure')
  assert.equal(figures.length, 7)
  for (const { alt = '' } of figures) assert.match(alt, /\d/)
  const [january] = statement.by_month
  assert.ok(figures[2]!.alt!.includes(`January: ${Number(january!.total_emission.toPrecision(3))}; February: `))
  for (const row of all(pdf, 'TR')) {
    assert.ok(row.children.length > 1 && row.children[0]!.role === 'TH', row.text)
  }
  assert.deepEqual(pdf.bookmarks.slice(0, 4), ['By scope and category', 'By month', 'By model', 'By data quality'])
})

test('everything on a page is tagged but its margins and the repeated headers of tables', () => {
  pdf.pages.forEach((text, at) => {
    const margin = `SHA-256 ${statement.hash.value} Page ${at + 1} of ${pdf.pages.length}`
    assert.ok(text.includes(margin))
    const header = at === 0 ? '' : 'Emissions statement 2025 · Müller & Söhne GmbH · Northwind Rentals '
    const repeated = /^Serial number .* Closing (?=C02)/
    const body = text.replace(`${header}${margin} `, '')
    assert.equal(body.replace(repeated, ''), pdf.tags[at]!.text)
  })
  const listed = pdf.pages.filter((text) => text.includes('Serial number Model Opening 2025 Closing'))
  assert.ok(listed.length > 2)
})

test('the same statement is the same bytes', () => {
  assert.deepEqual(draw(statement), bytes)
})

test('a year with nothing in it, or with less than nothing, is drawn too', async () => {
  const nothing = await readPdf(draw(statementToDraw(0)))
  assert.match(nothing.pages[0]!, / 0 kg CO₂e between 0 kg CO₂e and 0 kg CO₂e/)
  const months = statement.by_month.map((month) => ({ ...month, product_use: -20, total_emission: -12.5 }))
  const taken = await readPdf(draw({ ...statement, by_month: months }))
  assert.match(taken.pages.join(), /−12\.5/)
})

/** The left edge of the right margin, plus a small tolerance. */
const RIGHT_EDGE = 595.28 - 54 + 0.5
const HOSTILE = [
  '<script>alert(1)</script> & <b>',
  ') Tj /Evil Do (\\',
  'evil\u202etxt.exe',
  '東京レンタル 👩‍👩‍👧',
  'A'.repeat(5000),
  'z\u0300\u0301\u0302\u0303\u0304\u0305'.repeat(50),
  'half \ud800 pair, nul \u0000, \u2028',
  'مكتب ABC 42 للتأجير',
  '',
]

/** The expected text of names that are not drawn unchanged. */
const SHOWN: readonly (readonly [name: string, row: RegExp])[] = [
  ['東京 👩‍👩‍👧 \u202e!', /^□□ □ □! /],
  ['z\u0300\u0301\u0302\u0303\u0304\u0305 mark', /^□ mark /],
  ['word '.repeat(50), /^word word.*… /],
]

test('hostile names stay inside the page and out of the XML; what no font has is replaced by a sign', async () => {
  const small = statementToDraw(12)
  const names = [...HOSTILE, ...SHOWN.map(([name]) => name)]
  const devices = small.devices.map((device, at) => {
    const name = names[at % names.length]!
    return { ...device, serial_number: name, model: { ...device.model, id: name, name } }
  })
  for (const name of [HOSTILE[4]!, HOSTILE.join(' ')]) {
    const read = await readPdf(draw({ ...small, customer_id: name, issuer: { account: name }, devices }))
    assert.ok(read.rightmost <= RIGHT_EDGE, `${name.slice(0, 20)}: ${read.rightmost}`)
    new SaxesParser().write(read.xmp).close()
    const rows = rowsOf(read)
    for (const [, shown] of SHOWN)
      assert.ok(
        rows.some((row) => shown.test(row)),
        shown.source,
      )
  }
})
