// A step of a sequence as the request that is sent, with its twist applied, and the statuses that it may be answered.
import { pick, randomFrom, type Random } from '../../scripts/random-orders.ts'
import type { Sent } from '../raw-http.ts'
import { addStranger, breakBody, injectText, mutateBytes } from './break-body.ts'
import type { Operation, Parameter } from './documented-operations.ts'
import type { Step } from './draw-sequences.ts'
import { INJECTIONS, PATH_ENDINGS } from './hostile-values.ts'
import type { State, Told } from './sequence-state.ts'
import { SOUND_ANSWERS, isThere } from './sound-answers.ts'
import { fillPath, tell } from './sound-request.ts'

export interface Keys {
  readonly own: string
  /** By the one scope that each has. */
  readonly narrow: Readonly<Record<string, string>>
  /** Of an account that has nothing. */
  readonly foreign: string
  /** Revoked, expired, malformed, unknown. */
  readonly wrong: readonly string[]
}

export interface Built {
  readonly operation: Operation
  readonly told: Told
  readonly sent: Sent
  /** Null where any status of the document will do. */
  readonly expected: readonly number[] | null
  /** A member that nobody asked for, where one was added. */
  readonly stranger: string | null
  /** Whether what it did is the sequence's own: under its key, on its ids. */
  readonly isOwn: boolean
}

/** Whether the document accepts a body for an operation. */
export type Accepts = (operation: Operation, body: unknown) => boolean

const HUGE_HEADER = 'x'.repeat(20_000)
const HUGE_BODY = Buffer.alloc(1024 * 1024 + 1, ' ')
/** What a body or a query that the document accepts may come to: beside its schemas, names and states count. */
const JUDGED = [200, 202, 400, 404, 409]
/** An account sends as many files at once as it may; which of them come together is not the sequence's doing. */
const TOO_MANY_FILES = 429
const judgedWith = (file: unknown): readonly number[] => (file ? [...JUDGED, TOO_MANY_FILES] : JUDGED)
/** What is wrong with an item of a batch is said in its result. */
const BATCHES = ['createOrders', 'createEvents']
const UNKNOWN_PARAMETERS = ['injected', '__proto__', 'constructor', 'limit[]', "id'"]
/** No operation has one of these. */
const METHODS = ['OPTIONS', 'TRACE']

/** Nothing that is there is replaced without a tag, and nothing that is not there has one. */
const needsTag = (id: string, path: string, { figures }: State): boolean =>
  id === 'correctOrder' || /^deleteOwn/.test(id) || (/^putOwn/.test(id) && figures.has(path))

export function build(step: Step, state: State, keys: Keys, accepts: Accepts): Built {
  const random = randomFrom(step.seed)
  const told = tell(step, state, random)
  const { operation } = step
  const sound: Request = {
    path: told.path,
    key: operation.scope === null ? null : keys.own,
    headers: needsTag(operation.id, told.path, state) ? { 'if-match': '*' } : {},
    body: told.file?.bytes ?? told.body,
    expected: SOUND_ANSWERS[operation.id]?.(told, state) ?? null,
  }
  const spoilt = spoil(step, { told, random, keys, state, accepts })
  const {
    path,
    key,
    headers,
    body,
    expected,
    method = operation.method,
  } = spoilt ? { ...sound, expected: null, ...spoilt } : sound
  const takesBody = (operation.body !== null || operation.takesFile) && method === operation.method
  const type = takesBody ? { 'content-type': told.file?.type ?? 'application/json' } : {}
  return {
    operation,
    told: { ...told, path, body: body.toString() },
    sent: {
      method,
      headers: { ...(key !== null && { 'x-api-key': key }), ...type, ...headers },
      ...(takesBody && { body }),
    },
    expected,
    stranger: spoilt?.stranger ?? null,
    isOwn: key === keys.own && !(spoilt?.isElsewhere ?? false),
  }
}

interface Request {
  readonly path: string
  readonly key: string | null
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Buffer
  readonly method?: string
  readonly expected: Built['expected']
}

interface Spoilt extends Partial<Request> {
  readonly stranger?: string
  /** True where the path may be that of something else. */
  readonly isElsewhere?: boolean
}

interface Context {
  readonly told: Told
  readonly random: Random
  readonly keys: Keys
  readonly state: State
  readonly accepts: Accepts
}

/** The value without members that are null. */
function withoutNulls(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return Array.isArray(value) ? value.map(withoutNulls) : value
  const members = Object.entries(value).filter(([, member]) => member !== null)
  return Object.fromEntries(members.map(([name, member]) => [name, withoutNulls(member)]))
}

/** What a twist makes of a request; null where it has nothing to work on. */
function spoil({ operation, twist }: Step, context: Context): Spoilt | null {
  const { told, random } = context
  const refused = isThere(told, context.state) ? [400] : [400, 404]
  // What is drawn for a file is an order; only as bytes is it spoilt.
  const body = operation.body && (JSON.parse(told.body) as unknown)
  const judged = (value: unknown): Spoilt => {
    // Null in an optional member of some bodies is the same as its absence.
    const isSound = [value, withoutNulls(value)].some((one) => context.accepts(operation, one))
    return { body: JSON.stringify(value), expected: BATCHES.includes(operation.id) || isSound ? JUDGED : refused }
  }
  if (twist in WITH_KEY) return operation.scope === null ? null : WITH_KEY[twist]!(operation, context)
  switch (twist) {
    case 'brokenBody':
      return operation.body && judged(breakBody(body, random))
    case 'injectedText':
      return operation.body && judged(injectText(body, random))
    case 'stranger': {
      if (operation.body === null) return null
      const { body: strange, name } = addStranger(body, random)
      return { ...judged(strange), stranger: Array.isArray(strange) ? '' : name }
    }
    case 'bytes':
      if (told.file) return { body: mutateBytes(told.file.bytes, random), expected: judgedWith(told.file) }
      return told.body === '' ? null : { body: mutateBytes(Buffer.from(told.body), random), expected: JUDGED }
    case 'brokenQuery':
      return breakQuery(operation, told, refused, random)
    case 'brokenPath':
      return breakPath(operation, told, random)
    case 'pathEnding': {
      const ending = pick(random, PATH_ENDINGS)
      const path = told.path.split('?')[0]! + ending
      if (ending.startsWith('?')) return { path, expected: refused }
      // A fragment is no part of what is asked for.
      return { path, isElsewhere: !ending.startsWith('#') }
    }
    case 'wrongType':
      return told.body === '' ? null : { headers: { 'content-type': 'text/plain' }, expected: [415] }
    case 'otherMethod':
      return { method: pick(random, METHODS), expected: [405] }
    case 'hugeHeader':
      return { headers: { 'x-padding': HUGE_HEADER }, expected: [431] }
    case 'hugeBody':
      return operation.body && { body: HUGE_BODY, expected: [413] }
    default:
      return null
  }
}

const WITH_KEY: Readonly<Record<string, (operation: Operation, context: Context) => Spoilt>> = {
  noKey: () => ({ key: null, expected: [401] }),
  wrongKey: (_, { keys, random }) => ({ key: pick(random, keys.wrong), expected: [401, 429] }),
  narrowKey: ({ scope }, { keys, random }) => {
    const others = Object.keys(keys.narrow).filter((name) => name !== scope)
    return { key: keys.narrow[pick(random, others)]!, expected: [403] }
  },
  notAcceptable: () => ({ headers: { accept: 'text/html' }, expected: [406] }),
}

/** A parameter that is none, or one with a hostile value; where its schema is of one kind, that is refused. */
function breakQuery(
  { parameters }: Operation,
  { path, file }: Told,
  refused: readonly number[],
  random: Random,
): Spoilt {
  const [place, query = ''] = path.split('?')
  const known = parameters.filter((parameter) => parameter.in === 'query')
  const parameter = known.length > 0 && random() < 0.7 ? pick(random, known) : null
  const sent = new URLSearchParams(query)
  sent.set(parameter?.name ?? pick(random, UNKNOWN_PARAMETERS), pick(random, INJECTIONS))
  const isDecided = parameter === null || !isAnyText(parameter)
  return { path: `${place}?${sent.toString()}`, expected: isDecided ? refused : judgedWith(file) }
}

function isAnyText({ name, schema }: Parameter): boolean {
  const { type, format, items } = schema as { type?: string; format?: string; items?: { enum?: unknown } }
  if (name === 'cursor') return false
  return type === 'array' ? items?.enum === undefined : type === 'string' && format === undefined
}

function breakPath({ path, parameters }: Operation, { pathValues }: Told, random: Random): Spoilt | null {
  const names = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name)
  if (names.length === 0) return null
  const values = { ...pathValues, [pick(random, names)]: pick(random, INJECTIONS) }
  return { path: fillPath(path, values), isElsewhere: true }
}
