// Rejects requests that Node's parser accepts, but that two servers in a row may interpret differently.
import type { IncomingMessage } from 'node:http'
import { invalidRequest, type ApiError } from '../../contract/errors.ts'
import type { Message } from '../../engine/message.ts'
import { PROTOCOL_MESSAGES } from '../messages.ts'

const refused = (why: Message): ApiError => invalidRequest([{ path: '', ...why }])

const VERSION = refused(PROTOCOL_MESSAGES.http_version())
const NO_HOST = refused(PROTOCOL_MESSAGES.http_host_missing())
const SEVERAL_HOSTS = refused(PROTOCOL_MESSAGES.http_host_repeated())
const WRONG_HOST = refused(PROTOCOL_MESSAGES.http_host_invalid())
const OTHER_HOST = refused(PROTOCOL_MESSAGES.http_host_contradicted())
const NO_PATH = refused(PROTOCOL_MESSAGES.http_target())

const ABSOLUTE = /^https?:\/\/([^/?#]*)(.*)$/is
/** The characters of a name, an address or a port (RFC 3986, 3.2.2). */
const HOST = /^[\w.~%!$&'()*+,;=:[\]-]*$/
const SLASH = 0x2f

/** Why a request is rejected whatever its path; null if it is valid. An absolute target is replaced by its path. */
export function httpSyntaxError(request: IncomingMessage): ApiError | null {
  if (request.httpVersionMajor !== 1 || request.httpVersionMinor > 1) return VERSION
  const hosts = countHosts(request.rawHeaders)
  if (hosts > 1) return SEVERAL_HOSTS
  const { host } = request.headers
  if (host === undefined) {
    if (request.httpVersionMinor === 1) return NO_HOST
  } else if (!HOST.test(host)) return WRONG_HOST
  return request.url!.charCodeAt(0) === SLASH ? null : targetFailure(request)
}

function countHosts(rawHeaders: readonly string[]): number {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1
  }
  return count
}

/** RFC 9112, 3.2.2: clients of proxies send an absolute URL. All later code sees a path. */
function targetFailure(request: IncomingMessage): ApiError | null {
  const [, authority = '', rest = ''] = ABSOLUTE.exec(request.url!) ?? []
  if (authority === '') return NO_PATH
  if (request.headers.host !== undefined && authority.toLowerCase() !== request.headers.host.toLowerCase()) {
    return OTHER_HOST
  }
  request.url = rest.startsWith('/') ? rest : `/${rest}`
  return null
}
