// Hostile bodies that are no JSON object: other values, broken grammar, what other formats allow, orders cut off.
import type { HostileCase, Workbench } from './hostile-order.ts'

const NOT_AN_ORDER: Readonly<Record<string, string>> = {
  'nothing at all': '',
  'a space': ' ',
  'line breaks': '\r\n\r\n',
  null: 'null',
  true: 'true',
  'a number': '3',
  'a string': '"order"',
  'an empty array': '[]',
  'an empty object': '{}',
  'an object of another kind': '{"a":1}',
  'the word undefined': 'undefined',
  'the text of an object': '[object Object]',
  'a NUL': '\0',
  'a form': 'customer_id=a&order_id=b',
  XML: '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>',
  YAML: 'customer_id: a\norder_id: b\n',
  'a CSV row': 'customer_id,order_id\na,b\n',
  'half an object': '{',
  'a colon': ':',
  'a comma': ',',
  'a quotation mark': '"',
  'a backslash': '\\',
  'an escape without a string': '\\u007b\\u007d',
  'a call': 'callback({})',
  'a guard against inclusion': ")]}',\n{}",
  'JSON text sequence': '\x1e{}\n',
}

type Edit = (text: string) => string

const BROKEN: Readonly<Record<string, Edit>> = {
  'a comma behind the last member': (text) => text.replace(/\}$/, ',}'),
  'a comma behind the last item': (text) => text.replace(/\]\}$/, ',]}'),
  'a comma before the first member': (text) => text.replace('{', '{,'),
  'two commas': (text) => text.replace(',', ',,'),
  'no comma': (text) => text.replace(',', ' '),
  'no colon': (text) => text.replace(':', ' '),
  'an equals sign for a colon': (text) => text.replace(':', '='),
  'a member without a value': (text) => text.replace(/"hostile-customer"/, ''),
  'a line comment': (text) => `// an order\n${text}`,
  'a block comment': (text) => text.replace(',', ', /* the order */'),
  'a comment behind': (text) => `${text} # done`,
  'single quotes': (text) => text.replaceAll('"', "'"),
  'typographic quotes': (text) => text.replace('"customer_id"', '“customer_id”'),
  'names without quotes': (text) => text.replace('"customer_id"', 'customer_id'),
  'an escape of JavaScript': (text) => text.replace('hostile-customer', '\\x41'),
  'an escaped single quote': (text) => text.replace('hostile-customer', "\\'"),
  'a short Unicode escape': (text) => text.replace('hostile-customer', '\\u41'),
  'an escape with braces': (text) => text.replace('hostile-customer', '\\u{1F600}'),
  'an escape in capitals': (text) => text.replace('hostile-customer', '\\U0041'),
  'a string over two lines': (text) => text.replace('hostile-customer', 'a\\\nb'),
  'two orders': (text) => text + text,
  'a letter behind': (text) => `${text}x`,
  'a NUL behind': (text) => `${text}\0`,
  'a bracket too many': (text) => `${text}}`,
  'a bracket of the wrong kind': (text) => text.replace(/\}$/, ']'),
  'a vertical tab as white space': (text) => `\v${text}`,
  'a form feed as white space': (text) => text.replace(':', ':\f'),
  'a no-break space as white space': (text) => text.replace(':', ':\u00a0'),
  'a line separator as white space': (text) => `${text}\u2028`,
  'two byte order marks': (text) => `\ufeff\ufeff${text}`,
  'a byte order mark behind': (text) => `${text}\ufeff`,
  'an order in an array': (text) => `[${text}]`,
  'an order in a string': (text) => JSON.stringify(text),
}

const HARMLESS: Readonly<Record<string, Edit>> = {
  'a byte order mark in front': (text) => `\ufeff${text}`,
  'white space everywhere': (text) => `\r\n\t ${JSON.stringify(JSON.parse(text), null, '\t')}\r\n`,
  'slashes escaped, as PHP does': (text) => text.replace('hostile-customer', 'a\\/b'),
  'a letter escaped': (text) => text.replace('hostile-customer', '\\u00e9'),
  'an emoji escaped as a pair': (text) => text.replace('hostile-customer', '\\uD83D\\ude00'),
}

export function syntaxCases({ order }: Workbench): readonly HostileCase[] {
  const text = () => JSON.stringify(order())
  const refused = (name: string, body: Buffer | string): HostileCase => ({ name, body, expect: [400], stored: false })
  const cuts = [2, 8, 14, 20, 60, 100, 150, 200, 300, 400, 500, -1, -2, -3, -10]
  return [
    ...Object.entries(NOT_AN_ORDER).map(([what, body]) => refused(`${what} as the body`, body)),
    ...Object.entries(BROKEN).map(([what, edit]) => refused(what, edit(text()))),
    ...Object.entries(HARMLESS).map(([what, edit]): HostileCase => ({ name: what, body: edit(text()), expect: [200] })),
    ...cuts.map((at) => refused(`an order cut off at character ${at}`, text().slice(0, at))),
    ...(['utf16le', 'utf16be'] as const).flatMap((encoding) =>
      ['', '\ufeff'].map((mark) =>
        refused(`${encoding} ${mark === '' ? 'without' : 'with'} a byte order mark`, encode16(mark + text(), encoding)),
      ),
    ),
    refused('UTF-32', encode32(text())),
    refused('random bytes', Buffer.from(Array.from({ length: 600 }, (_, at) => (at * 197 + 89) % 256))),
    refused('600 NULs', Buffer.alloc(600)),
  ]
}

function encode16(text: string, encoding: 'utf16le' | 'utf16be'): Buffer {
  const bytes = Buffer.from(text, 'utf16le')
  return encoding === 'utf16le' ? bytes : bytes.swap16()
}

function encode32(text: string): Buffer {
  const bytes = Buffer.alloc(text.length * 4)
  for (let at = 0; at < text.length; at += 1) bytes.writeUInt32LE(text.charCodeAt(at), at * 4)
  return bytes
}
