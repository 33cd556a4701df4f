// What EPCIS 2.0 and CBV 2.0 require of the events in a passport, by the standards’ names alone.
import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import type { Json } from './document-check.ts'

type Epcis = Json & { readonly eventID: string; readonly eventTime: string; readonly errorDeclaration?: Json }

export interface PassportWithEvents extends Json {
  readonly UniqueProductIdentifier: string
  readonly LastUpdated: string
  readonly events: Json & { readonly epcisBody: { readonly eventList: readonly Epcis[] } }
}

const STEPS = ['shipping', 'receiving', 'replacing', 'repairing', 'decommissioning', undefined]
const MEMBERS = new Set([
  ...['type', 'eventID', 'errorDeclaration', 'eventTime', 'eventTimeZoneOffset', 'epcList', 'action', 'bizStep'],
  ...['disposition', 'bizTransactionList', 'sourceList', 'destinationList'],
])

/** What EPCIS 2.0 requires of a document and of each event, and CBV 2.0 of an id that is a hash. */
export function assertEvents({ events, UniqueProductIdentifier: epc, LastUpdated }: PassportWithEvents): void {
  const { type, schemaVersion, creationDate, epcisBody } = events as unknown as Readonly<Record<string, Json>>
  assert.deepEqual([type, schemaVersion, creationDate], ['EPCISDocument', '2.0', LastUpdated])
  assert.deepEqual(events['@context'], ['https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld'])
  const list = epcisBody!['eventList'] as readonly Epcis[]
  const times = list.map(({ eventTime }) => eventTime)
  assert.deepEqual(times, times.toSorted())
  assert.equal(new Set(list.map(({ eventID }) => eventID)).size, list.length)
  for (const event of list) {
    const told = JSON.stringify(event)
    assert.deepEqual(
      Object.keys(event).filter((name) => !MEMBERS.has(name)),
      [],
      told,
    )
    assert.ok(['ObjectEvent', 'TransactionEvent'].includes(String(event['type'])), told)
    assert.match(event.eventTime, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/, told)
    assert.equal(event['eventTimeZoneOffset'], '+00:00', told)
    assert.deepEqual(event['epcList'], [epc], told)
    assert.ok(['OBSERVE', 'DELETE'].includes(String(event['action'])), told)
    assert.ok(STEPS.includes(event['bizStep'] as string | undefined), told)
    if (event['type'] === 'TransactionEvent') assert.ok(event['bizTransactionList'], told)
    assert.equal(event.eventID, hashOf(event), told)
    const error = event.errorDeclaration
    if (!error) continue
    assert.ok(String(error['declarationTime']) >= event.eventTime, told)
    const corrective = (error['correctiveEventIDs'] ?? []) as readonly string[]
    assert.equal(error['reason'], corrective.length > 0 ? 'incorrect_data' : 'did_not_occur', told)
    assert.ok(
      corrective.every((id) => id !== event.eventID && list.some(({ eventID }) => eventID === id)),
      told,
    )
  }
}

/** Written from the rules of CBV 2.0 for hashes of events, by names rather than as the service does: some stay out. */
function hashOf({ type, ...event }: Epcis): string {
  const vocabulary: Readonly<Record<string, string>> = { bizStep: 'BizStep', disposition: 'Disp' }
  const print = (name: string, value: unknown, terms = vocabulary[name]): string =>
    `${name}=${terms ? `https://ref.gs1.org/cbv/${terms}-` : ''}${String(value)}`
  const printElement = (name: string, element: unknown): string => {
    if (name === 'epcList') return print('epc', element)
    const { type: kind, ...rest } = element as Json
    const [member] = Object.entries(rest)
    return print('type', kind, name === 'bizTransactionList' ? 'BTT' : 'SDT') + print(...member!)
  }
  const sequence = ['eventTime', 'eventTimeZoneOffset', 'epcList', 'action', 'bizStep', 'disposition']
  const text = [...sequence, 'bizTransactionList', 'sourceList', 'destinationList'].flatMap((name) => {
    const value = event[name]
    if (value === undefined) return []
    if (!Array.isArray(value)) return [print(name, value)]
    return [name, ...value.map((one) => printElement(name, one)).toSorted()]
  })
  return `ni:///sha-256;${hash('sha256', `eventType=${String(type)}${text.join('')}`)}?ver=CBV2.0`
}
