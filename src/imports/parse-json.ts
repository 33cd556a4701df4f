// Parses a line of JSON as strictly as POST parses its body.
import { JSON_NESTING_MAX } from '../config.ts'
import { PROBLEMS_MAX } from '../engine/validate-order.ts'
import { parseStrictJson } from '../strict-json/parse.ts'
import type { ParseJson } from '../spreadsheets/read-json-lines.ts'

export const parseJson: ParseJson = (text) =>
  parseStrictJson(Buffer.from(text), { nestingMax: JSON_NESTING_MAX, problemsMax: PROBLEMS_MAX })
