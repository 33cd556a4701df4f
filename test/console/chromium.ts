// The real Chromium that comes by npm: nothing has to be installed on the system.
import chromium from '@sparticuz/chromium'
import { chromium as playwright, type Browser } from 'playwright-core'

/** Not those of @sparticuz/chromium: they put one process around everything and take the same-origin policy away. */
const ARGUMENTS = [
  '--no-sandbox',
  '--no-zygote',
  '--disable-gpu',
  '--headless=shell',
  '--disable-background-networking',
]

/** Its program, unpacked if it is not yet. Of two processes at once, one would find half of what the other writes. */
export const unpackChromium = (): Promise<string> => chromium.executablePath()

/** It has to be closed. */
export async function launchChromium(): Promise<Browser> {
  return playwright.launch({ executablePath: await unpackChromium(), args: ARGUMENTS })
}
