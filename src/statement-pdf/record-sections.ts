// The chapters for the auditor: all devices, factors and sources, the method, and how to verify the statement.
import { heading, paragraph, section } from './blocks.ts'
import { modelName, withSign, type RenderContext } from './cover.ts'
import { kilogramsOf, milligramsOf, type Balance } from './model.ts'
import { COLOURS } from './theme.ts'
import type { Block } from './layout.ts'
import { tableBlocks, type Row } from './table.ts'

export function* deviceBlocks(context: RenderContext): Generator<Block> {
  const { digest, messages } = context
  yield heading(messages.deviceList)
  yield paragraph(messages.deviceListText(digest.year))
  const columns = [
    { title: messages.serialNumber, share: 0.2 },
    { title: messages.model, share: 0.29 },
    { title: messages.openingColumn, share: 0.17, isNumber: true },
    { title: String(digest.year), share: 0.17, isNumber: true },
    { title: messages.closingColumn, share: 0.17, isNumber: true },
  ]
  yield* tableBlocks({ title: messages.deviceList, columns }, deviceRows(context))
}

function* deviceRows({ digest, messages, numbers }: RenderContext): Generator<Row> {
  const { devices, models, summary, ofDevices } = digest
  const total: Balance = {
    opening: milligramsOf(summary.opening_emission),
    year: milligramsOf(summary.total_emission),
    closing: milligramsOf(summary.closing_emission),
  }
  const bare = minus(total, ofDevices)
  const further = [bare, total].flatMap(({ opening, year, closing }) => [opening, year, closing])
  const exact = numbers.exact([...devices.balances, ...further].map(kilogramsOf))
  const write = (values: Iterable<number>): string[] => Array.from(values, (value) => exact(kilogramsOf(value)))
  const rowOf = (name: string, { opening, year, closing }: Balance, isTotal: boolean): Row => ({
    cells: [name, '', ...write([opening, year, closing])],
    isTotal,
  })
  for (const [at, serialNumber] of devices.serialNumbers.entries()) {
    const model = models[devices.models[at]!]!
    yield {
      cells: [
        serialNumber.trim() || '–',
        modelName(model, messages),
        ...write(devices.balances.subarray(3 * at, 3 * at + 3)),
      ],
    }
  }
  if (bare.opening !== 0 || bare.year !== 0 || bare.closing !== 0) yield rowOf(messages.withoutDevices, bare, false)
  yield rowOf(messages.all, total, true)
}

const minus = (whole: Balance, part: Balance): Balance => ({
  opening: whole.opening - part.opening,
  year: whole.year - part.year,
  closing: whole.closing - part.closing,
})

export function* sourceBlocks({ digest, messages, numbers }: RenderContext): Generator<Block> {
  yield heading(messages.sources)
  yield section(messages.releases)
  const releases = [
    { title: messages.release, share: 0.2 },
    { title: messages.contentHash, share: 0.8 },
  ]
  const hashes = digest.releases.map<Row>(({ name, content_hash: hash }) => ({ cells: [name, hash] }))
  yield* tableBlocks({ title: messages.releases, columns: releases }, hashes)
  yield section(messages.factors)
  const factors = [
    { title: messages.factorNumber, share: 0.07 },
    { title: messages.factor, share: 0.33 },
    { title: messages.factorValue, share: 0.16, isNumber: true },
    { title: messages.factorUnit, share: 0.17 },
    { title: messages.release, share: 0.18 },
    { title: messages.source, share: 0.09, isNumber: true },
  ]
  const values = digest.factors.map<Row>(({ no, symbol, id, value, unit, dataset_release: release, source }) => ({
    cells: [String(no), `${id} (${symbol})`, numbers.decimal(value), unit, release, String(source)],
  }))
  yield* tableBlocks({ title: messages.factors, columns: factors }, values)
  yield section(messages.sourceList)
  const sources = [
    { title: messages.factorNumber, share: 0.08 },
    { title: messages.source, share: 0.37 },
    { title: messages.licence, share: 0.2 },
    { title: 'URL', share: 0.35 },
  ]
  const rows = digest.sources.map<Row>(({ no, title, publisher, year, url, licence }) => ({
    cells: [String(no), [publisher, title, ...(year === null ? [] : [year])].join(', '), licence, url],
  }))
  yield* tableBlocks({ title: messages.sourceList, columns: sources, linesMax: 8 }, rows)
}

export function* methodBlocks({ digest, messages }: RenderContext): Generator<Block> {
  const { issued, basis, exclusions, notes } = digest
  yield heading(messages.method)
  yield paragraph(messages.methodVersion(issued.method, issued.version))
  if (messages.asSigned) yield paragraph(messages.asSigned, { color: COLOURS.quiet })
  const lists = [
    [messages.basis, basis],
    [messages.exclusions, exclusions],
    [messages.notes, notes],
  ] as const
  for (const [title, sentences] of lists) {
    if (sentences.length === 0) continue
    yield section(title)
    for (const sentence of sentences) yield withSign(sentence, messages)
  }
}

export function* verificationBlocks({ digest, messages }: RenderContext): Generator<Block> {
  yield heading(messages.verification)
  yield paragraph(messages.verificationText)
  yield paragraph(messages.command, { weight: 'bold', gap: 10, staysWithNext: true }, 'Code')
  yield paragraph(messages.verificationStep, { gap: 10, staysWithNext: true })
  const columns = [
    { title: messages.figure, share: 0.3 },
    { title: messages.value, share: 0.7 },
  ]
  const rows = [
    { cells: [messages.checksum, digest.hash.value] },
    { cells: [messages.key, digest.signed_by.fingerprint] },
  ]
  yield* tableBlocks({ title: messages.verification, columns }, rows)
  yield paragraph(messages.replaced, { color: COLOURS.quiet, gap: 16 })
}
