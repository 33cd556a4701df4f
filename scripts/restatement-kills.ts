// Restates orders while the program is killed: bench/results/restatements.md, [orders] [kills] [seed].
import { writeSection } from '../test/model-based/history-report.ts'
import { restateWithKills } from '../test/fault-injection/restatement-kills.ts'

const [orders = '5000', kills = '20', seed = '1'] = process.argv.slice(2)
const report = (done: number): void => void process.stderr.write(`${done} of ${kills} kills\n`)
const { changed, failures } = await restateWithKills({
  orders: Number(orders),
  kills: Number(kills),
  seed: Number(seed),
  report,
})
for (const failure of failures) process.stderr.write(`${failure}\n`)
if (failures.length > 0) process.exitCode = 1
const columns = ['seed', 'orders', 'orders changed', 'kills', 'failures']
process.stdout.write(
  writeSection('restatements', 'Killed restatements', columns, [[seed, orders, changed, kills, failures.length]]),
)
