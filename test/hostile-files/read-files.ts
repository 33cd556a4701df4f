// Started by a test in a process with a small heap: makes each hostile file, reads it as an import does, and prints
// what became of it, with the processor's time beside that of a sound file which unpacks to as much.
import { detectSettings } from '../../src/spreadsheets/detect-settings.ts'
import { locateErrors } from '../../src/spreadsheets/locate-errors.ts'
import { readOrders } from '../../src/spreadsheets/read-orders.ts'
import { UnreadableFile } from '../../src/spreadsheets/row.ts'
import { parseJson, sourceOf } from '../import-reading.ts'
import { HOSTILE_FILES } from './all-files.ts'
import { textFile, ITEM_COLUMNS, itemCells, type HostileFile, type MadeFile } from './hostile-file.ts'
import { HEADER, SHEET, sheet, soundRows, workbook } from './workbook.ts'

export interface ReadFile {
  readonly name: string
  readonly outcome: string
  /** Of the processor, and of that for the bytes of a sound file. */
  readonly ms: number
  readonly soundMs: number
}

const SOUND_ROWS = 5_000
/** What any file takes by itself. */
const BYTES_MIN = 256 * 1024

async function outcomeOf({ bytes }: MadeFile, asked: HostileFile['asked'] = {}): Promise<string> {
  const source = sourceOf(bytes)
  const detected = await detectSettings(source, null, asked, parseJson)
  if (!detected.ok) return detected.problems.map(({ path, message }) => `${path}: ${message}`).join('\n')
  let [orders, faults, length] = [0, 0, 0]
  try {
    for await (const batch of readOrders(source, detected.settings, parseJson))
      for (const order of batch) {
        orders += 1
        const placed = locateErrors(order, [])
        faults += placed.length
        length += placed.reduce((sum, fault) => sum + JSON.stringify(fault).length, 0)
      }
  } catch (error) {
    if (error instanceof UnreadableFile) return error.message
    throw error
  }
  return `read: ${orders} orders, ${faults} faults of ${length} characters`
}

async function timed(work: () => Promise<string>): Promise<{ readonly outcome: string; readonly ms: number }> {
  const before = process.cpuUsage()
  const outcome = await work()
  const { user, system } = process.cpuUsage(before)
  return { outcome, ms: (user + system) / 1000 }
}

/** Milliseconds for each byte that it unpacks to. */
async function soundCost(file: MadeFile): Promise<number> {
  await outcomeOf(file)
  return (await timed(() => outcomeOf(file))).ms / file.unpacked
}

const csv = await textFile(
  `${ITEM_COLUMNS.join()}\n${Array.from({ length: SOUND_ROWS }, (_, no) => itemCells(no).join()).join('\n')}\n`,
)
const [costOfCsv, costOfXlsx] = [
  await soundCost(csv),
  await soundCost(await workbook({ [SHEET]: sheet([HEADER, ...soundRows(SOUND_ROWS)]) })),
]
for (const { name, format, asked, times, make } of HOSTILE_FILES) {
  const file = await make(times.small)
  const { outcome, ms } = await timed(() => outcomeOf(file, asked))
  const soundMs = Math.max(file.unpacked, BYTES_MIN) * (format === 'xlsx' ? costOfXlsx : costOfCsv)
  const read: ReadFile = { name, outcome: outcome.slice(0, 2_000), ms, soundMs }
  process.stdout.write(`${JSON.stringify(read)}\n`)
}
