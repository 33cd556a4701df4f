// Where a webhook may be sent: public addresses only, so that nobody reaches the operator's network through Cradle.
import { BlockList, isIP } from 'node:net'
import { lookup } from 'node:dns/promises'

/** What the operator allows. */
export interface TargetRules {
  /** Ports beside 443. */
  readonly ports: readonly number[]
  /** Also http, any port and any loopback address, for receivers on this machine and for tests. */
  readonly allowsLoopback: boolean
}

export interface Address {
  readonly address: string
  readonly family: 4 | 6
}

export type Resolve = (hostname: string) => Promise<readonly Address[]>

export type TargetProblem = 'url_invalid' | 'scheme' | 'credentials' | 'port' | 'address'

/** Special-purpose addresses of IPv4, and those under which clouds offer the secrets of a machine. */
const REFUSED_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]

/** All of IPv6 but global unicast 2000::/3, and of that: Teredo and the like, documentation, 6to4. */
const REFUSED_IPV6 = ['::/3', '4000::/2', '8000::/1', '2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']

/** A list for each family: Node compares an IPv4 address with rules for IPv6 too, as one that is written in IPv6. */
const REFUSED = { ipv4: new BlockList(), ipv6: new BlockList() }
for (const subnet of REFUSED_IPV4) add(REFUSED.ipv4, subnet, 'ipv4')
for (const subnet of REFUSED_IPV6) add(REFUSED.ipv6, subnet, 'ipv6')

const LOOPBACK = new BlockList()
add(LOOPBACK, '127.0.0.0/8', 'ipv4')
add(LOOPBACK, '::1/128', 'ipv6')

function add(list: BlockList, subnet: string, family: 'ipv4' | 'ipv6'): void {
  const [net, prefix] = subnet.split('/') as [string, string]
  list.addSubnet(net, Number(prefix), family)
}

/** An IPv4 address that is written in IPv6 (::ffff:0:0/96) is in ::/3, as are NAT64 and the loopback address. */
function isAllowed({ address, family }: Address, { allowsLoopback }: TargetRules): boolean {
  const type = family === 4 ? 'ipv4' : 'ipv6'
  if (isIP(address) !== family) return false
  // Node's list finds an IPv4 address in IPv6 form among those of IPv4.
  if (allowsLoopback && LOOPBACK.check(address, type)) return true
  return !REFUSED[type].check(address, type)
}

/** The name or address in a URL, without the brackets of IPv6; the URL parser has resolved all other notations. */
const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1')

const isLoopback = (host: string): boolean => {
  const family = isIP(host)
  return family === 0 ? host === 'localhost' : LOOPBACK.check(host, family === 4 ? 'ipv4' : 'ipv6')
}

/** Why nothing is ever sent to a URL; null if it depends on what its name resolves to. */
export function urlProblem(text: string, rules: TargetRules): TargetProblem | null {
  if (!URL.canParse(text)) return 'url_invalid'
  const url = new URL(text)
  const host = hostOf(url)
  const isOwn = rules.allowsLoopback && isLoopback(host)
  if (url.protocol !== 'https:' && !(isOwn && url.protocol === 'http:')) return 'scheme'
  if (url.username !== '' || url.password !== '') return 'credentials'
  if (url.hash !== '' || host === '') return 'url_invalid'
  if (!isOwn && url.port !== '' && !rules.ports.includes(Number(url.port))) return 'port'
  const family = isIP(host)
  return family === 0 || isAllowed({ address: host, family: family as 4 | 6 }, rules) ? null : 'address'
}

export class TargetRefused extends Error {
  override name = 'TargetRefused'
  readonly fault: TargetProblem
  constructor(fault: TargetProblem) {
    super(`A webhook is not sent to this URL: ${fault}`)
    this.fault = fault
  }
}

export const resolveName: Resolve = async (hostname) =>
  (await lookup(hostname, { all: true })).map(({ address, family }) => ({ address, family: family as 4 | 6 }))

/**
 * Resolves the name of a URL once, for one attempt: the connection is made to the returned address, and not to what the
 * name resolves to a moment later.
 * @throws TargetRefused if any of its addresses is refused, or what the resolver throws
 */
export async function resolveTarget(url: string, rules: TargetRules, resolve: Resolve): Promise<Address> {
  const fault = urlProblem(url, rules)
  if (fault !== null) throw new TargetRefused(fault)
  const host = hostOf(new URL(url))
  const family = isIP(host)
  const addresses = family === 0 ? await resolve(host) : [{ address: host, family: family as 4 | 6 }]
  if (addresses.length === 0 || !addresses.every((one) => isAllowed(one, rules))) throw new TargetRefused('address')
  return addresses[0]!
}
