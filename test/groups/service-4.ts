// One of four processes that run most test files together.
import { runGroup } from '../together.ts'

await runGroup(4, 4)
