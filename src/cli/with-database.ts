// What the commands share: the database of a service that may be running, and lines on standard output.
import { readConfig } from '../config.ts'
import { connectToRunning, type Database } from '../postgres/database.ts'

export async function withDatabase<Result>(use: (database: Database) => Promise<Result>): Promise<Result> {
  const fail = (error: Error) => {
    throw error
  }
  const database = await connectToRunning(readConfig(process.env), { report: () => undefined, onFailure: fail })
  try {
    return await use(database)
  } finally {
    await database.close()
  }
}

export const print = (line: string): void => void process.stdout.write(`${line}\n`)
