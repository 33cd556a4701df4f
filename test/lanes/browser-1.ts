// One of two processes that run the tests of the console in a browser.
import { runBrowserLane } from '../together.ts'

await runBrowserLane(1, 2)
