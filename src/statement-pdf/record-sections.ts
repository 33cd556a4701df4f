// The chapters for the auditor: all devices, factors and sources, the method, and how to verify the statement.
import { heading, paragraph, section } from './blocks.ts'
import { modelName, withSign, type RenderContext } from './cover.ts'
import { kilogramsOf, milligramsOf, type Balance } from './model.ts'
import { COLOURS } from './theme.ts'
import type { Block } from './layout.ts'
import { tableBlocks, type Row } from './table.ts'

export function* deviceBlocks(telling: RenderContext): Generator<Block> {
  const { digest, say } = telling
  yield heading(say.deviceList)
  yield paragraph(say.deviceListText(digest.year))
  const columns = [
    { title: say.serialNumber, share: 0.2 },
    { title: say.model, share: 0.29 },
    { title: say.openingColumn, share: 0.17, isNumber: true },
    { title: String(digest.year), share: 0.17, isNumber: true },
    { title: say.closingColumn, share: 0.17, isNumber: true },
  ]
  yield* tableBlocks({ title: say.deviceList, columns }, deviceRows(telling))
}

function* deviceRows({ digest, say, numbers }: RenderContext): Generator<Row> {
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
        modelName(model, say),
        ...write(devices.balances.subarray(3 * at, 3 * at + 3)),
      ],
    }
  }
  if (bare.opening !== 0 || bare.year !== 0 || bare.closing !== 0) yield rowOf(say.withoutDevices, bare, false)
  yield rowOf(say.all, total, true)
}

const minus = (whole: Balance, part: Balance): Balance => ({
  opening: whole.opening - part.opening,
  year: whole.year - part.year,
  closing: whole.closing - part.closing,
})

export function* sourceBlocks({ digest, say, numbers }: RenderContext): Generator<Block> {
  yield heading(say.sources)
  yield section(say.releases)
  const releases = [
    { title: say.release, share: 0.2 },
    { title: say.contentHash, share: 0.8 },
  ]
  const hashes = digest.releases.map<Row>(({ name, content_hash: hash }) => ({ cells: [name, hash] }))
  yield* tableBlocks({ title: say.releases, columns: releases }, hashes)
  yield section(say.factors)
  const factors = [
    { title: say.factorNumber, share: 0.07 },
    { title: say.factor, share: 0.33 },
    { title: say.factorValue, share: 0.16, isNumber: true },
    { title: say.factorUnit, share: 0.17 },
    { title: say.release, share: 0.18 },
    { title: say.source, share: 0.09, isNumber: true },
  ]
  const values = digest.factors.map<Row>(({ no, symbol, id, value, unit, dataset_release: release, source }) => ({
    cells: [String(no), `${id} (${symbol})`, numbers.decimal(value), unit, release, String(source)],
  }))
  yield* tableBlocks({ title: say.factors, columns: factors }, values)
  yield section(say.sourceList)
  const sources = [
    { title: say.factorNumber, share: 0.08 },
    { title: say.source, share: 0.37 },
    { title: say.licence, share: 0.2 },
    { title: 'URL', share: 0.35 },
  ]
  const rows = digest.sources.map<Row>(({ no, title, publisher, year, url, licence }) => ({
    cells: [String(no), [publisher, title, ...(year === null ? [] : [year])].join(', '), licence, url],
  }))
  yield* tableBlocks({ title: say.sourceList, columns: sources, linesMax: 8 }, rows)
}

export function* methodBlocks({ digest, say }: RenderContext): Generator<Block> {
  const { issued, basis, exclusions, notes } = digest
  yield heading(say.method)
  yield paragraph(say.methodVersion(issued.method, issued.version))
  if (say.asSigned) yield paragraph(say.asSigned, { color: COLOURS.quiet })
  const lists = [
    [say.basis, basis],
    [say.exclusions, exclusions],
    [say.notes, notes],
  ] as const
  for (const [title, sentences] of lists) {
    if (sentences.length === 0) continue
    yield section(title)
    for (const sentence of sentences) yield withSign(sentence, say)
  }
}

export function* verificationBlocks({ digest, say }: RenderContext): Generator<Block> {
  yield heading(say.verification)
  yield paragraph(say.verificationText)
  yield paragraph(say.command, { weight: 'bold', gap: 10, staysWithNext: true }, 'Code')
  yield paragraph(say.verificationStep, { gap: 10, staysWithNext: true })
  const columns = [
    { title: say.figure, share: 0.3 },
    { title: say.value, share: 0.7 },
  ]
  const rows = [{ cells: [say.checksum, digest.hash.value] }, { cells: [say.key, digest.signed_by.fingerprint] }]
  yield* tableBlocks({ title: say.verification, columns }, rows)
  yield paragraph(say.replaced, { color: COLOURS.quiet, gap: 16 })
}
