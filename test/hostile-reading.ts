// Loaded into the processes that read files: what reading a file does to them, the name of the file says.
import { basename } from 'node:path'

const READER = basename(process.argv[1] ?? '', '.ts')

/** Of the names of files: `fills detection-worker.csv`, `spins import-worker.csv`. */
function read(fileName: string | null): void {
  if (fileName === `fills ${READER}.csv`) for (const all: unknown[] = []; ;) all.push(new Array(1_000_000).fill(0))
  if (fileName === `spins ${READER}.csv`) for (;;);
}

interface Message {
  readonly kind: string
  readonly job?: { readonly fileName?: string | null; readonly state?: string }
}

// Not by a listener of its own: what came before the process listens itself would be lost to it.
const listen = process.on.bind(process) as (name: string, listener: (message: Message) => void) => NodeJS.Process
process.on = ((name: string, listener: (message: Message) => void) =>
  listen(name, (message) => {
    // To take an import back nobody reads its file.
    if (name === 'message' && message.kind === 'begin' && message.job?.state !== 'reversing')
      read(message.job?.fileName ?? null)
    listener(message)
  })) as typeof process.on
