// `npm run statements`: draws statements of up to 50,000 devices, and writes bench/results/statements.md.
import { writeFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { dirname, join } from 'node:path'
import { createCanvas } from '@napi-rs/canvas'
import { getDocument, type PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { drawProcessOf, memoryMbOf } from '../bench/process-clock.ts'
import { resultFile, resultHead } from '../bench/result-file.ts'
import { runCooperatively } from '../src/concurrency/cooperative.ts'
import { createRenderPdf, openPdfRendering } from '../src/pdf-rendering.ts'
import { statementModel } from '../src/statement-pdf/model.ts'
import type { Statement } from '../src/statements/statement.ts'
import { statementToDraw } from '../test/statement-to-draw.ts'

const DEVICES = [50, 50, 5_000, 20_000, 50_000]
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

const drawing = openPdfRendering((error) => console.error(error.message))
const drawPdf = createRenderPdf(drawing)
const draw = async (statement: Statement): Promise<Uint8Array> =>
  drawPdf(1, await runCooperatively(statementModel(statement)), 'en', new AbortController().signal)

async function measure(devices: number): Promise<Measured> {
  const statement = statementToDraw(devices)
  const loop = monitorEventLoopDelay({ resolution: 1 })
  loop.enable()
  const began = performance.now()
  const pdf = await draw(statement)
  const seconds = (performance.now() - began) / 1000
  loop.disable()
  return {
    devices,
    pages: (await open(pdf)).numPages,
    megabytes: pdf.length / MEGABYTE,
    seconds,
    memoryMegabytes: memoryMbOf(drawProcessOf(process.pid)!).peak,
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
  writeFileSync(join(dirname(resultFile('statements')), `statement-${name}.png`), await canvas.encode('png'))
}

const measured: Measured[] = []
for (const devices of DEVICES) {
  const one = await measure(devices)
  measured.push(one)
  console.log(one)
}
const shown = await open(await draw(statementToDraw(240)))
for (const [name, no] of Object.entries(SHOWN)) await paint(shown, no, name)
await drawing.stop()

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
  resultFile('statements'),
  `${resultHead('statements')}

On Node ${process.version}, ${process.platform}-${process.arch}.

| devices | pages | MB | seconds | memory, MB | loop p99, ms |
|---|---|---|---|---|---|
${rows.join('\n')}

![Cover: customer, year, total and its 95 % interval](statement-cover.png)

![Emissions by month: stacked bars and their table](statement-months.png)
`,
)
