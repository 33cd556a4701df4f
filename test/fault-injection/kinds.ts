// Every kind of trial: what is done, what has to hold, and how often in `npm test` and in the long form.
import { restoreBackups } from './backups.ts'
import { fullDisk, lockedOut, readOnly, smallDiskObstacle } from './database-faults.ts'
import { failEveryCall } from './every-call.ts'
import { failOver } from './failover.ts'
import {
  killBoth,
  killDatabase,
  killProgram,
  killWorker,
  startSecond,
  stopUnderLoad,
  stopWorkersUnderLoad,
} from './kills.ts'
import { broken, refused, refusedAtStart, slow, swallowed } from './network-faults.ts'
import { killWhileSending } from './webhook-kills.ts'
import { rounds } from '../rounds.ts'
import type { Kind } from './trial.ts'

const ABSENT_MS = { short: 1_000, long: 20_000 }
const AWAY_MS = { short: 2_000, long: 30_000 }
const SLOW_MS = { short: 2_500, long: 20_000 }

/** What a few cycles do not come to stands in the title of the long form alone. */
const BEYOND = {
  slow: { short: '', long: ', 2 kB a second, or 5 s for each piece' },
  broken: { short: '1 %', long: '1, 5 and 20 %' },
  locked: { short: '', long: '; all devices locked until the statement ends' },
}

/** The long form lasts longer in each cycle of some kinds, too. */
export const kindsOf = (form: 'short' | 'long'): readonly Kind[] => [
  {
    id: 'D1',
    title: 'kill -9 of the program under load',
    promise:
      'What was acknowledged is stored, once; what was refused is not; what is unknown is settled by a repetition.',
    shortCycles: 1,
    longCycles: 200,
    run: killProgram,
  },
  {
    id: 'D2',
    title: 'kill -9 of the database under load: all of its processes, the first, or one of the others',
    promise: 'The same; every request is answered within 2 s, if by 503 with Retry-After, and the program lives on.',
    shortCycles: 1,
    longCycles: 100,
    run: killDatabase,
  },
  {
    id: 'D3',
    title: 'kill -9 of program and database at once',
    promise: 'The same; each order is there once, and answers the same bytes however often it is sent.',
    // D1 and D2 end one of them under load; src/postgres/embedded/crash.test.ts has the start after the end of both.
    shortCycles: rounds(0, 1),
    longCycles: 100,
    run: killBoth,
  },
  {
    id: 'D5',
    title: 'SIGTERM under load',
    promise:
      'What was sent is answered, if by 503; no connection is broken off; the end comes within 10 s, by the signal.',
    // test/processes.test.ts stops one process while it is asked.
    shortCycles: rounds(0, 1),
    longCycles: 100,
    run: (plan) => stopUnderLoad(plan),
  },
  {
    id: 'D7',
    title: 'every call to the database made to fail, one after the other, on every path that has one',
    promise: '200 only for what is stored, else 503; sent again it is stored once; every connection is given back.',
    shortCycles: rounds(1, 2),
    longCycles: 10,
    run: failEveryCall,
    isExhaustive: true,
  },
  {
    id: 'D8',
    title: 'a second program on the same data',
    promise: 'It ends with 1 and a sentence that names the first one, which serves on undisturbed.',
    shortCycles: 1,
    longCycles: 5,
    run: startSecond,
  },
  {
    id: 'D9',
    title: 'a backup under load, all data wiped, the backup restored',
    promise:
      'What was acknowledged before the backup is there, and answers the same bytes; an order that came too late for ' +
      'it is accepted, once, when it is sent again. Every table has the rows and the hash of the manifest, and every ' +
      'row is recomputed after every restore; keys and mappings work as before. The same backup with another byte, ' +
      'or without its end, is refused before that, and leaves the database empty.',
    // Of this, test/backup.test.ts has what a single cycle would show.
    shortCycles: 0,
    longCycles: 20,
    run: restoreBackups,
  },
  {
    id: 'D10',
    title: 'kill -9 of one of two workers under load',
    promise:
      'As in D1. Meanwhile the other one serves; it is replaced, and /readyz answers 200 again once both serve. The ' +
      'program and its database live on.',
    // D1 ends the only process under load; test/workers.test.ts has the worker that is replaced, and its neighbour.
    shortCycles: rounds(0, 1),
    longCycles: 100,
    run: killWorker,
  },
  {
    id: 'D11',
    title: 'SIGTERM under load of a program with two workers',
    promise: 'As in D5.',
    // test/processes.test.ts stops one process while it is asked.
    shortCycles: rounds(0, 1),
    longCycles: 50,
    run: stopWorkersUnderLoad,
  },
  {
    id: 'W1',
    title: 'kill -9 of the program with two workers while it sends webhooks to a receiver that fails at random',
    promise:
      'Every event of the feed is accepted; it is sent under one id, with the same body and a valid signature, and ' +
      'of the events of one order each is accepted before the next one is sent.',
    shortCycles: 1,
    longCycles: 500,
    run: killWhileSending,
  },
  {
    id: 'X1',
    title: `the database refuses connections for ${ABSENT_MS[form] / 1000} s when the program starts`,
    promise:
      'It waits; meanwhile /livez answers 200, and /readyz and orders 503 with Retry-After. Then it serves by itself.',
    // test/start.test.ts has a database that is not there yet.
    shortCycles: rounds(0, 1),
    longCycles: 5,
    run: (plan) => refusedAtStart(plan, ABSENT_MS[form]),
  },
  {
    id: 'X2',
    title: `the database away for ${AWAY_MS[form] / 1000} s under load`,
    promise:
      'Every request is answered within 2 s, if by 503; within 5 s of its return orders are accepted again, and nine ' +
      'tenths as many as before it went.',
    shortCycles: 1,
    longCycles: 10,
    run: (plan) => refused(plan, AWAY_MS[form]),
  },
  {
    id: 'X3',
    title: `a slow network: half a second for each piece${BEYOND.slow[form]}`,
    promise: 'Every request is answered within 13.2 s; a page that needs no database within 1 s.',
    shortCycles: 1,
    longCycles: 12,
    run: (plan) => slow(plan, SLOW_MS[form]),
  },
  {
    id: 'X4',
    title: `connections broken: ${BEYOND.broken[form]} of pieces, or of commits after they were sent`,
    promise: 'As in D3: no order is lost, none is there twice.',
    shortCycles: rounds(1, 2),
    longCycles: 60,
    run: broken,
  },
  {
    id: 'X5',
    title: 'connections that swallow what is sent',
    promise: 'Every request is answered within 13.2 s, and orders are accepted again within 5 s of the end of it.',
    shortCycles: 1,
    longCycles: 10,
    run: swallowed,
  },
  {
    id: 'X6',
    title: 'a full disk, for the tables or for the log of changes too, then room again',
    promise:
      '503 `storage_full` for what cannot be stored, of files long before that; reads go on as long as the database ' +
      'does; orders are accepted ' +
      'again within 10 s of room, without a restart.',
    shortCycles: rounds(1, 2),
    longCycles: 20,
    run: (plan) => fullDisk(plan, form),
    obstacle: smallDiskObstacle,
  },
  {
    id: 'X7',
    title: `all devices locked, with a lock_timeout; no connection left${BEYOND.locked[form]}`,
    promise: 'Contention is waited for, then 503, never 500; every request is answered within 13 s.',
    shortCycles: rounds(1, 2),
    longCycles: 30,
    run: lockedOut,
  },
  {
    id: 'X8',
    title: 'a read-only database',
    promise: 'Writes are answered 503 `read_only`, reads 200.',
    shortCycles: 1,
    longCycles: 10,
    run: readOnly,
  },
  {
    id: 'R1',
    title: 'kill -9 of the first of two databases under load, and the second one takes over',
    promise:
      'Committed on both, what was acknowledged is on the second one, once; orders are accepted again within 10 s.',
    // test/replica.test.ts reads from a second database, and does without it.
    ...{ shortCycles: rounds(0, 1), longCycles: 50, run: failOver },
  },
]
