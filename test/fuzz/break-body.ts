// Breaks a sound body in one place, as members or as bytes; whether the document refuses it is for the oracle to say.
import { pick, type Random } from '../../scripts/random-orders.ts'
import { INJECTIONS, MISPLACED, STRANGERS } from './hostile-values.ts'

type Container = Record<string, unknown>

interface Place {
  readonly holder: Container
  readonly name: string
}

/** Every member and element of a value, whatever it is. */
function placesOf(value: unknown): readonly Place[] {
  if (typeof value !== 'object' || value === null) return []
  const holder = value as Container
  return Object.keys(holder).flatMap((name) => [{ holder, name }, ...placesOf(holder[name])])
}

/** Another value in one place, or one member less. The body itself is one of its places. */
export function breakBody(body: unknown, random: Random): unknown {
  const broken = structuredClone(body)
  const places = placesOf(broken)
  if (places.length === 0 || random() < 0.03) return pick(random, MISPLACED)
  const { holder, name } = pick(random, places)
  if (!Array.isArray(holder) && random() < 0.25) delete holder[name]
  else holder[name] = pick(random, MISPLACED)
  return broken
}

/** One of the texts of a body becomes an attack. */
export function injectText(body: unknown, random: Random): unknown {
  const broken = structuredClone(body)
  const texts = placesOf(broken).filter(({ holder, name }) => typeof holder[name] === 'string')
  if (texts.length === 0) return broken
  const { holder, name } = pick(random, texts)
  holder[name] = pick(random, INJECTIONS)
  return broken
}

/** A member that nobody asked for, in the body itself, and its name. */
export function addStranger(body: unknown, random: Random): { readonly body: unknown; readonly name: string } {
  const name = pick(random, STRANGERS)
  // A literal "__proto__" would set the prototype instead.
  const stranger = Object.fromEntries([[name, pick(random, MISPLACED)]])
  return { name, body: Array.isArray(body) ? [...(body as unknown[]), stranger] : { ...(body as object), ...stranger } }
}

const MUTATIONS: readonly ((bytes: Buffer, at: number, random: Random) => Buffer)[] = [
  function flip(bytes, at, random) {
    const flipped = Buffer.from(bytes)
    flipped[at] = flipped[at]! ^ (1 << Math.floor(random() * 8))
    return flipped
  },
  function truncate(bytes, at) {
    return bytes.subarray(0, at)
  },
  function splice(bytes, at, random) {
    const from = Math.floor(random() * bytes.length)
    return Buffer.concat([bytes.subarray(0, at), bytes.subarray(from)])
  },
  function repeat(bytes, at, random) {
    const end = at + Math.ceil(random() * 40)
    const part = bytes.subarray(at, end)
    return Buffer.concat([
      bytes.subarray(0, end),
      ...Array.from({ length: Math.ceil(random() * 20) }, () => part),
      bytes.subarray(end),
    ])
  },
  function overwrite(bytes, at, random) {
    const other = Buffer.from(bytes)
    other[at] = Math.floor(random() * 256)
    return other
  },
]

/** The bytes of a sound body, changed in one to three places. */
export function mutateBytes(bytes: Buffer, random: Random): Buffer {
  let mutated = bytes
  for (let times = Math.ceil(random() * 3); times > 0 && mutated.length > 0; times -= 1)
    mutated = pick(random, MUTATIONS)(mutated, Math.floor(random() * mutated.length), random)
  return mutated
}
