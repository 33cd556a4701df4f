// All hostile files: those of the penetration test, and others of their kinds.
import type { HostileFile } from './hostile-file.ts'
import { OTHER_TEXTS } from './other-texts.ts'
import { OTHER_WORKBOOKS } from './other-workbooks.ts'
import { OTHER_XML } from './other-xml.ts'
import { REPORTED_TEXTS } from './reported-texts.ts'
import { REPORTED_WORKBOOKS } from './reported-workbooks.ts'
import { ZIP_LIES } from './zip-lies.ts'

export const HOSTILE_FILES: readonly HostileFile[] = [
  ...REPORTED_WORKBOOKS,
  ...REPORTED_TEXTS,
  ...OTHER_XML,
  ...OTHER_WORKBOOKS,
  ...ZIP_LIES,
  ...OTHER_TEXTS,
]
