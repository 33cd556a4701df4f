// What no answer may show, whatever was sent: the inside of the program.
import assert from 'node:assert/strict'

/** Text that only the program, its database or its machine could have put there; the corpora send none of it. */
const INSIDE = [
  /\.[tj]s:\d+/,
  /\n\s+at /,
  /\\n\s+at /,
  /node_modules/,
  /node:internal/,
  /file:\/\/\/(?!etc)/,
  /\/work\/|\/home\/|\/tmp\//,
  /syntax error at|violates|SQLSTATE|relation \\?"|unnest\(|insert into|string_to_array/i,
  /invalid (byte sequence|input syntax)/,
  /\.s\.PGSQL|ECONNREFUSED/,
]

export function assertNoLeak(text: string, name: string): void {
  for (const pattern of INSIDE) assert.doesNotMatch(text, pattern, name)
}
