// One of four processes that run most test files together.
import { runLane } from '../together.ts'

await runLane(1, 4)
