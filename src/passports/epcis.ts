// Events of EPCIS 2.0 (ISO/IEC 19987) as JSON-LD, in the vocabulary of CBV 2.0, each with an id that is its hash.
import { hash } from 'node:crypto'

/** A link: the context is the property of GS1. */
const CONTEXT = 'https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld'

export type PartyType = 'possessing_party' | 'owning_party'

export interface ErrorDeclaration {
  readonly declarationTime: string
  readonly reason: 'did_not_occur' | 'incorrect_data'
  readonly correctiveEventIDs?: readonly string[]
}

export interface EpcisEvent {
  readonly type: 'ObjectEvent' | 'TransactionEvent'
  readonly eventID: string
  readonly errorDeclaration?: ErrorDeclaration
  /** In UTC, with milliseconds. */
  readonly eventTime: string
  readonly eventTimeZoneOffset: '+00:00'
  readonly epcList: readonly [string]
  readonly action: 'OBSERVE' | 'DELETE'
  readonly bizStep?: 'shipping' | 'receiving' | 'replacing' | 'repairing' | 'decommissioning'
  readonly disposition?: 'in_transit' | 'active' | 'returned' | 'inactive' | 'unknown'
  readonly bizTransactionList?: readonly { readonly type: 'po'; readonly bizTransaction: string }[]
  readonly sourceList?: readonly { readonly type: PartyType; readonly source: string }[]
  readonly destinationList?: readonly { readonly type: PartyType; readonly destination: string }[]
}

export const epcisDocument = (createdAt: string, eventList: readonly EpcisEvent[]) => ({
  '@context': [CONTEXT],
  type: 'EPCISDocument',
  schemaVersion: '2.0',
  creationDate: createdAt,
  epcisBody: { eventList },
})

/** Adds the id: the hash of the event by CBV 2.0, without id and error declaration, so that it stays when retracted. */
export function withEventId(event: Omit<EpcisEvent, 'eventID'>): EpcisEvent {
  const { type, ...content } = event
  return { type, eventID: `ni:///sha-256;${hash('sha256', textToHash(event))}?ver=CBV2.0`, ...content }
}

const VOCABULARY = 'https://ref.gs1.org/cbv/'

/** Each list with the member that its elements have behind their type, and the prefix of the types. */
const LISTS = [
  ['bizTransactionList', 'bizTransaction', 'BTT'],
  ['sourceList', 'source', 'SDT'],
  ['destinationList', 'destination', 'SDT'],
] as const

/** Names and values in the canonical order of CBV 2.0, without separators; elements of a list are sorted. */
function textToHash(event: Omit<EpcisEvent, 'eventID'>): string {
  const { type, eventTime, eventTimeZoneOffset, epcList, action, bizStep, disposition } = event
  return [
    `eventType=${type}eventTime=${eventTime}eventTimeZoneOffset=${eventTimeZoneOffset}epcListepc=${epcList[0]}`,
    `action=${action}`,
    bizStep ? `bizStep=${VOCABULARY}BizStep-${bizStep}` : '',
    disposition ? `disposition=${VOCABULARY}Disp-${disposition}` : '',
    ...LISTS.flatMap(([list, member, types]) => {
      const elements: readonly Readonly<Record<string, string>>[] = event[list] ?? []
      const texts = elements.map((one) => `type=${VOCABULARY}${types}-${one['type']!}${member}=${one[member]!}`)
      return texts.length === 0 ? [] : [list, ...texts.toSorted()]
    }),
  ].join('')
}
