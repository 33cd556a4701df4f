// Creates and drops whole databases on a running server: one for each test file, next to nothing in time.
import pg from 'pg'
import type { ConnectionSettings } from './connection.ts'

/** The settings of a new, empty database beside the given one. */
export async function createDatabase(connection: ConnectionSettings, name: string): Promise<ConnectionSettings> {
  await runOn(connection, `create database ${pg.escapeIdentifier(name)}`)
  return { ...connection, database: name }
}

/** Also ends the sessions that still use it. */
export async function dropDatabase(connection: ConnectionSettings, name: string): Promise<void> {
  await runOn(connection, `drop database if exists ${pg.escapeIdentifier(name)} with (force)`)
}

async function runOn(connection: ConnectionSettings, sql: string): Promise<void> {
  const client = new pg.Client({ ...connection, database: 'postgres' })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}
