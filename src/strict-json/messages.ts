// Messages about bytes that are not valid JSON, or that hold values that would change on the way into the database.
import { defineMessages } from '../engine/message.ts'

/** In `character`, `text` and `name`, quotes and control characters are escaped as in JSON. */
export const JSON_MESSAGES = defineMessages({
  json_syntax: 'Not valid JSON at line {line}, column {column}: found {found} in place of {expected}',
  json_syntax_hint: 'Not valid JSON at line {line}, column {column}: found {found} in place of {expected}; {hint}',
  json_too_deep: 'Nested deeper than {max} levels, at line {line}, column {column}; send a flatter body',
  json_member_repeated: '"{name}" is sent twice in one object; send it once',
  json_nul: '"{text}" contains the character U+0000, which cannot be stored',
  json_half_surrogate: '"{text}" contains half of a surrogate pair; send both halves, or the character itself',
  json_number_too_large: '{number} is larger than a JSON number can be; send a smaller number',
  json_number_too_small: '{number} is smaller than a JSON number can be (it would be read as 0); send 0',
  json_number_too_long: [
    '{number} has more digits than a JSON number keeps reliably (it would be read as {read}); ',
    'send at most {max} significant digits',
  ],
  body_utf16: 'The body is UTF-16 or UTF-32; send it as UTF-8',
  body_not_utf8: 'The body is not valid UTF-8 (near byte {byte}); send UTF-8',
  body_empty: 'The body is empty; send a JSON value',
})

/** What is in the text where it stops being JSON. */
export const JSON_FOUND = defineMessages({
  json_found_end: 'the end',
  json_found_character: '"{character}"',
})

/** What could follow there instead. */
export const JSON_EXPECTED = defineMessages({
  json_expected_end: 'the end of the body',
  json_expected_value: 'a value',
  json_expected_comma: 'a comma or "{bracket}"',
  json_expected_name: 'a member name in double quotes',
  json_expected_colon: 'a colon after the member name',
  json_expected_escape: 'one of the escapes \\" \\\\ \\/ \\b \\f \\n \\r \\t \\u0000',
  json_expected_quote: 'a closing double quote',
  json_expected_escaped: 'its escape, such as \\n',
})

/** Common mistakes, and what JSON requires instead. */
export const JSON_HINTS = defineMessages({
  json_hint_end: 'the body ends too early',
  json_hint_infinity: 'NaN and Infinity are not JSON numbers; send a number, or omit the member',
  json_hint_quotes: 'strings and member names are in double quotes',
  json_hint_comments: 'JSON has no comments',
  json_hint_point: 'a decimal point has digits on both sides',
  json_hint_number: 'a number begins with a digit or a minus sign: 1 and 0.5, not +1 and .5',
  json_hint_literals: 'JSON has only true, false and null, in lower case',
  json_hint_decimal: 'numbers are decimal',
  json_hint_zeros: 'a number has no leading zeros',
  json_hint_comma: 'no comma precedes a closing bracket, and nothing may be missing there',
})
