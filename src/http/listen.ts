// Opens the port of a server on one socket that no other program can share, and explains failures.
import type { FastifyInstance } from 'fastify'

/** An address and the variable that sets its port. */
export interface ListenAddress {
  readonly host: string
  readonly port: number
  readonly portVariable: string
}

/**
 * @param backlog connections that may wait to be accepted
 * @returns the address, as a URL
 * @throws Error with a sentence if the port cannot be opened; the app is closed
 */
export async function listen(app: FastifyInstance, address: ListenAddress, backlog: number): Promise<string> {
  try {
    return await app.listen({ host: ipv4Of(address.host), port: address.port, backlog })
  } catch (error) {
    await app.close()
    throw explainListenError(error as NodeJS.ErrnoException, address)
  }
}

/**
 * For `localhost`, the framework would open a second server at the other address, to which none of our connection
 * limits would be attached.
 */
const ipv4Of = (host: string): string => (host.toLowerCase() === 'localhost' ? '127.0.0.1' : host)

/** The same error with a sentence for the operator if one of the usual causes is known. */
export function explainListenError(error: NodeJS.ErrnoException, { host, port, portVariable }: ListenAddress): Error {
  const explain = (sentence: string) => new Error(sentence, { cause: error })
  switch (error.code) {
    case 'EADDRINUSE':
      return explain(
        `Port ${port} of ${host} is in use; set ${portVariable} to another one, or to 0 for any that is free`,
      )
    case 'EACCES':
      return explain(`This user may not listen on port ${port}; set ${portVariable} to 1024 or more`)
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return explain(`${host} is no address of this machine; set CRADLE_HOST to one, as in 127.0.0.1 or 0.0.0.0`)
    default:
      return error
  }
}
