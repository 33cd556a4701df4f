// Folds all that can be folded by now, without rests.
import { foldInPieces, type Folded } from '../src/reports/folder.ts'

export async function foldAll(
  folded: Folded,
  isStopping: () => boolean,
  report: (error: Error) => void,
): Promise<void> {
  for await (const tookMs of foldInPieces(folded, isStopping, report)) void tookMs
}
