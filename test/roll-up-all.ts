// Folds all that can be folded by now, without rests.
import { rollUpInBatches, type RollupProgress } from '../src/reporting/rollup-job.ts'

export async function foldAll(
  folded: RollupProgress,
  isStopping: () => boolean,
  report: (error: Error) => void,
): Promise<void> {
  for await (const tookMs of rollUpInBatches(folded, isStopping, report)) void tookMs
}
