// One of two processes that run the tests of the console in a browser.
import { runBrowserGroup } from '../together.ts'

await runBrowserGroup(2, 2)
