// The ids of an order's revisions. Corrected content, and an order that is sent again after its import was undone, are
// stored as the next revision, under an id of its own. So are the events that were recorded for an earlier one. An
// event that is sent again after its file of events was undone is another event, with an id of its own.

/** Between the id as it was sent and the number of the revision: no id that a client sends has a control character. */
const SEPARATOR = '\u001f'
/** With zeros in front, so that ids sort by number. */
const DIGITS = 4
/** The number of revisions that an order may have. */
export const REVISIONS_MAX = 10 ** DIGITS - 1

/** The id of an order or event as the client sent it. */
export function sentIdOf(storedId: string): string {
  const end = storedId.indexOf(SEPARATOR)
  return end < 0 ? storedId : storedId.slice(0, end)
}

/** What a stored id has after the id that the client sent; empty for the first revision. */
export const revisionSuffixOf = (storedId: string): string => storedId.slice(sentIdOf(storedId).length)

/** The number of the revision that is stored under an id, from 1. */
export const revisionOf = (orderId: string): number => Number(orderId.split(SEPARATOR)[1] ?? 1)

/** The id of the revision before; null for the first. */
export function previousRevisionId(orderId: string): string | null {
  const revision = revisionOf(orderId)
  return revision === 1 ? null : idOf(sentIdOf(orderId), revision - 1)
}

/** The ids that an id as it was sent, of an order or of an event of it, has in the revisions up to one. */
export const idsUpToRevision = (sent: string, orderId: string): readonly string[] =>
  Array.from({ length: revisionOf(orderId) }, (_, at) => idOf(sent, at + 1))

/** Before the number of times that an event was sent whose id an undone file of events had freed. */
const AGAIN = `${SEPARATOR}again-`

/** The id of an event that is sent again, after the one with the given id was undone with its file. */
export function nextEventId(eventId: string): string {
  const times = Number(eventId.split(AGAIN)[1] ?? 1) + 1
  return `${sentIdOf(eventId)}${AGAIN}${String(times).padStart(DIGITS, '0')}`
}

/** The id of an event, without the revision of its order, for which it is stored. */
export const eventIdOf = (storedId: string): string => storedId.replace(REVISION, '')

const REVISION = new RegExp(`${SEPARATOR}\\d{${DIGITS}}$`)

/** The id of the next revision; null after REVISIONS_MAX revisions. */
export function nextRevisionId(orderId: string): string | null {
  const next = revisionOf(orderId) + 1
  return next > REVISIONS_MAX ? null : idOf(sentIdOf(orderId), next)
}

const idOf = (sent: string, revision: number): string =>
  revision === 1 ? sent : `${sent}${SEPARATOR}${String(revision).padStart(DIGITS, '0')}`
