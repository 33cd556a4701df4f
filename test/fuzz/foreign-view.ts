// What a stranger sees of an account's objects: to the byte what is seen of objects that nobody has.
import type { Answer, Sent } from '../raw-http.ts'
import type { Told } from './sequence-state.ts'

/** What differs from answer to answer, whatever was asked. */
const VOLATILE = ['date', 'x-request-id', 'ratelimit', 'content-length']

/**
 * Sends a request with the stranger's key, once as it is and once with ids that nobody has in place of the sequence's
 * own. Gives the first answer, and what differs between the two.
 */
export async function viewAsStranger(
  send: (path: string, sent: Sent) => Promise<Answer>,
  told: Told,
  sent: Sent,
  key: string,
  name: string,
): Promise<{ readonly answer: Answer; readonly fault: string | null }> {
  const nobody = `0${name.slice(1)}`
  const rename = (text: string) => text.replaceAll(name, nobody)
  const headers = { ...sent.headers, 'x-api-key': key }
  const answer = await send(told.path, { ...sent, headers })
  const other = await send(rename(told.path), {
    ...sent,
    headers,
    ...(sent.body !== undefined && { body: rename(sent.body.toString()) }),
  })
  const [seen, unseen] = [shapeOf(answer, rename), shapeOf(other, rename)]
  return { answer, fault: seen === unseen ? null : `A stranger sees ${seen} instead of ${unseen}` }
}

function shapeOf({ status, headers, text }: Answer, rename: (text: string) => string): string {
  const kept = Object.entries(headers).filter(([name]) => !VOLATILE.includes(name))
  const body = isPacked(headers) ? '' : text.replace(String(headers['x-request-id']), '').replace(MADE_AT, '')
  return rename(JSON.stringify([status, Object.fromEntries(kept), body]))
}

/** When a file or a report was made, as it tells itself. */
const MADE_AT = /(?:exported|generated)_at(?:"+:"+|: )[\d:.TZ-]+/

/** A workbook is packed, so that one other letter changes many; its rows are those of the same export in CSV. */
const isPacked = (headers: Answer['headers']): boolean => /spreadsheetml/.test(String(headers['content-type']))
