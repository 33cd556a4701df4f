// A worker that serves nobody: it says that it does, and ends.
import type { ToPrimary, ToWorker } from '../src/cluster/messages.ts'

const send = (message: ToPrimary, sent = (): void => undefined): void => void process.send!(message, sent)
process.on('message', (message: ToWorker) => {
  if (message.kind === 'start') send({ kind: 'prepared' })
  if (message.kind === 'listen') send({ kind: 'serving', address: 'nowhere' }, () => process.exit(3))
})
send({ kind: 'loaded' })
