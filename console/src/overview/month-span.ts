// The months that an overview has, from the first to the last, also those without anything.
import type { Report } from '../emissions/report-query.ts'
import { monthsFrom, type Span } from './time.ts'

/** Without a first day, from the first month of which there is something. */
export function monthsOf({ groups }: Report, { from, to }: Span): readonly string[] {
  const present = groups.map(({ labels }) => labels[0]!).toSorted()
  const first = from?.slice(0, 7) ?? present[0]
  const last = to?.slice(0, 7) ?? present.at(-1)
  return first === undefined || last === undefined ? [] : monthsFrom(first, last)
}
