// `npm run statements`: draws statements of up to 50,000 devices, and says in docs/statement-pdf.md what that takes.
import { writeFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { join } from 'node:path'
import { createCanvas } from '@napi-rs/canvas'
import { getDocument, type PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { inSlices } from '../src/http/in-slices.ts'
import { digestOf } from '../src/statement-pdf/digest.ts'
import { renderStatementPdf } from '../src/statement-pdf/render.ts'
import { statementToDraw } from '../test/statement-to-draw.ts'

const DOCS = join(import.meta.dirname, '..', 'docs')
const DEVICES = [50, 5_000, 20_000, 50_000]
const MEGABYTE = 2 ** 20
/** Small enough to be looked at in a browser, large enough to be read. */
const IMAGE_WIDTH = 640
const SHOWN = { cover: 1, months: 3 } as const

interface Measured {
  readonly devices: number
  readonly pages: number
  readonly megabytes: number
  readonly seconds: number
  readonly memoryMegabytes: number
  readonly loopMilliseconds: number
}

async function measure(devices: number): Promise<Measured> {
  const statement = statementToDraw(devices)
  const before = process.memoryUsage().rss
  let most = before
  const watch = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 50)
  const loop = monitorEventLoopDelay({ resolution: 1 })
  loop.enable()
  const began = performance.now()
  const pdf = await renderStatementPdf(await inSlices(digestOf(statement)), 'en')
  const seconds = (performance.now() - began) / 1000
  loop.disable()
  clearInterval(watch)
  return {
    devices,
    pages: (await open(pdf)).numPages,
    megabytes: pdf.length / MEGABYTE,
    seconds,
    memoryMegabytes: (most - before) / MEGABYTE,
    loopMilliseconds: loop.percentile(99) / 1e6,
  }
}

const open = (pdf: Uint8Array): Promise<PDFDocumentProxy> =>
  getDocument({ data: Uint8Array.from(pdf), verbosity: 0 }).promise

async function paint(document: PDFDocumentProxy, no: number, name: string): Promise<void> {
  const page = await document.getPage(no)
  const viewport = page.getViewport({ scale: IMAGE_WIDTH / page.getViewport({ scale: 1 }).width })
  const canvas = createCanvas(viewport.width, viewport.height)
  await page.render({ canvas: canvas, viewport }).promise
  writeFileSync(join(DOCS, `statement-${name}.png`), await canvas.encode('png'))
}

const measured: Measured[] = []
for (const devices of DEVICES) {
  const one = await measure(devices)
  measured.push(one)
  console.log(one)
}
const shown = await open(await renderStatementPdf(await inSlices(digestOf(statementToDraw(240))), 'en'))
for (const [name, no] of Object.entries(SHOWN)) await paint(shown, no, name)

const rows = measured.map(
  ({ devices, pages, megabytes, seconds, memoryMegabytes, loopMilliseconds }) =>
    `| ${[
      devices.toLocaleString('en'),
      pages.toLocaleString('en'),
      megabytes.toFixed(1),
      seconds.toFixed(1),
      memoryMegabytes.toFixed(0),
      loopMilliseconds.toFixed(0),
    ].join(' | ')} |`,
)
writeFileSync(
  join(DOCS, 'statement-pdf.md'),
  `# What a statement's PDF takes

Written by \`npm run statements\` on Node ${process.version}, ${process.platform}-${process.arch}.
A statement is drawn on a thread of its own, one at a time; four more wait, and further ones get 503. A thread may take
512 MB. The last column is how late the event loop of the service was meanwhile, at its 99th percentile. A statement has
20,000 devices at most.

| devices | pages | MB | seconds | memory, MB | loop p99, ms |
|---|---|---|---|---|---|
${rows.join('\n')}

Two pages of one, as they are printed:

![The cover: the customer, the year, the total and between which figures the true one lies](statement-cover.png)

![Emissions by month: stacked bars, and their table](statement-months.png)
`,
)
