// The service that test files share: it says where it is, and serves until its parent lets go of it.
import type { ConnectionSettings } from '../src/postgres/embedded/connection-file.ts'
import { startService } from './service.ts'
import type { SharedAddress } from './test-postgres.ts'

const { server, pool, stop } = await startService()
const { host, port, user, password, database } = (pool as unknown as { readonly options: ConnectionSettings }).options
const address: SharedAddress = { url: server.url, connection: { host, port, user, password, database } }
process.send!(address)
process.once('disconnect', () => void stop().then(() => process.exit()))
