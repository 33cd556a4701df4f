// The program and its databases ended, restored and replaced, for a few cycles each: what was promised of orders holds.
import { tryShort } from './short-trials.ts'

tryShort((id) => /^[DRW]/.test(id))
