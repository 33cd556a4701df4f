// Hostile bodies for every text: lengths, control characters, Unicode, names of Object.prototype, injections, serials.
import { STRING_FIELDS } from './field-bodies.ts'
import { PRODUCT } from './hostile-order.ts'
import type { HostileCase, Json, Workbench } from './hostile-order.ts'

/** Texts of the client's own choosing: any well-formed string within the limits is right. */
const FREE_FIELDS = [
  '/customer_id',
  '/order_id',
  '/items/0/config/product_id',
  '/items/0/config/serial_number',
  '/items/0/config/product_name',
  '/items/0/config/brand',
  '/metadata/cost_centre',
]
const LISTED_FIELDS = ['/items/1/config/transportation_id', '/items/2/config/packaging_id']

const PROTOTYPE_NAMES = [
  '__proto__',
  'constructor',
  'prototype',
  'hasOwnProperty',
  'toString',
  'valueOf',
  '__defineGetter__',
  'then',
]

const GOOD_TEXTS: Readonly<Record<string, string>> = {
  'one character': 'a',
  '200 characters': 'a'.repeat(200),
  '200 emoji, which are 400 code units': '😀'.repeat(200),
  '200 letters of three bytes': '語'.repeat(200),
  'an emoji of several code points': '👩‍👩‍👧‍👦',
  'a flag': '🇩🇪',
  'a right-to-left override': 'abc\u202egpj.exe',
  'Hebrew and Arabic': 'שלום مرحبا',
  'a zero-width space': 'a\u200bb',
  'a byte order mark within': 'a\ufeffb',
  'the line separators U+2028 and U+2029': 'a\u2028b\u2029c',
  'a noncharacter U+FFFF': 'a\uffffb',
  'the replacement character': 'a\ufffdb',
  'fifty combining marks': `e${'\u0301'.repeat(50)}`,
  'a no-break space between': 'a\u00a0b',
  'a Turkish dotless i': 'ıİiI',
  'a quotation mark and a backslash': 'a"b\\c',
  'an SQL injection': "'; DROP TABLE orders; --",
  'a second SQL injection': "x' OR '1'='1",
  'a dollar-quoted SQL text': '$$; select pg_sleep(10); $$',
  'a script element': '<script>alert(1)</script>',
  'an image with an event handler': '"><img src=x onerror=alert(1)>',
  'a spreadsheet formula': '=HYPERLINK("http://example.invalid","x")',
  'a spreadsheet command': "@SUM(1+1)*cmd|' /C calc'!A0",
  'a format string': '%s%n%x%d',
  'a template': '${7*7}{{7*7}}<%= 7*7 %>',
  'a look-up of Log4Shell': '${jndi:ldap://127.0.0.1/a}',
  'a path upwards': '../../../../etc/passwd',
  'a percent-encoded slash and NUL': '%2f%00',
  'a text that reads like JSON': '{"a":1}',
  'the word null': 'null',
  'a text that reads like a number': '1e309',
  'a slash, a tilde and an encoded tilde': '/~0~1',
}

/** Those of the good texts that are no serial numbers: they have no letter or digit, or repeat one, or are a word. */
const PLACEHOLDERS = [
  '200 characters',
  '200 emoji, which are 400 code units',
  '200 letters of three bytes',
  'an emoji of several code points',
  'a flag',
  'the word null',
]

const BAD_TEXTS: Readonly<Record<string, string>> = {
  'an empty string': '',
  '201 characters': 'a'.repeat(201),
  '201 emoji': '😀'.repeat(201),
  '64 kB': 'a'.repeat(65_536),
  NUL: 'a\u0000b',
  'NUL alone': '\u0000',
  'a line break': 'a\nb',
  'a carriage return and a line feed': 'a\r\nX-Evil: 1',
  'a tab': 'a\tb',
  'an escape sequence of a terminal': '\u001b[2J',
  DELETE: 'a\u007fb',
  'the control character U+0085': 'a\u0085b',
  'a high surrogate alone': 'a\ud800b',
  'a low surrogate alone': 'a\udc00b',
  'surrogates in the wrong order': '\ude00\ud83d',
}

export function textCases(bench: Workbench): readonly HostileCase[] {
  return [
    ...freeTextCases(bench),
    ...listedTextCases(bench),
    ...prototypeNameCases(bench),
    ...serialCases(bench),
    ...byteCases(bench),
  ]
}

function freeTextCases({ accepted, refused }: Workbench): readonly HostileCase[] {
  return FREE_FIELDS.flatMap((field) => [
    ...Object.entries(GOOD_TEXTS).map(([what, text]) =>
      field.endsWith('serial_number') && PLACEHOLDERS.includes(what)
        ? refused(`${what} at ${field}`, field, text)
        : accepted(`${what} at ${field}`, field, text),
    ),
    // The rule for strings does not say whether a label may be empty, so either answer will do there.
    ...Object.entries(BAD_TEXTS).map(([what, text]) =>
      field === '/metadata/cost_centre' && text === ''
        ? { ...accepted(`${what} at ${field}`, field, text), expect: [200, 400] }
        : refused(`${what} at ${field}`, field, text),
    ),
  ])
}

function listedTextCases({ accepted, refused }: Workbench): readonly HostileCase[] {
  const fields = STRING_FIELDS.filter((field) => !FREE_FIELDS.includes(field) && field !== '/items/0/type')
  return fields.flatMap((field) =>
    ['201 characters', 'NUL', 'a high surrogate alone', 'a right-to-left override'].map((what) => {
      const text = BAD_TEXTS[what] ?? GOOD_TEXTS[what] ?? ''
      // A model id that is not in the catalogue may be refused or only not matched; the contract leaves it open.
      return field.endsWith('model_id') && what in GOOD_TEXTS
        ? { ...accepted(`${what} at ${field}`, field, text), expect: [200, 400] }
        : refused(`${what} at ${field}`, field, text)
    }),
  )
}

function prototypeNameCases({ accepted, refused, written }: Workbench): readonly HostileCase[] {
  return PROTOTYPE_NAMES.flatMap((name) => [
    ...FREE_FIELDS.map((field) => accepted(`the name ${name} as a value at ${field}`, field, name)),
    ...LISTED_FIELDS.map((field) => refused(`the name ${name} as an unknown id at ${field}`, field, name)),
    { ...accepted(`the name ${name} as a model id`, '/items/0/config/model_id', name), expect: [200, 400] },
    ...['', '/items/0', '/items/0/config', '/items/1/config', '/items/2/config'].map((parent): HostileCase => {
      const body = written(`${parent}/surplus`, '{"polluted":true}').replace('"surplus"', `"${name}"`)
      return { name: `the name ${name} as a member of ${parent || 'the order'}`, body, expect: [200] }
    }),
    {
      name: `the name ${name} as a label`,
      expect: [200],
      body: written('/metadata/surplus', '"x"').replace('"surplus"', `"${name}"`),
    },
  ])
}

/** Serial numbers are compared after NFC and trimming, with their case. */
function serialCases({ accepted, changed, refused }: Workbench): readonly HostileCase[] {
  const at = '/items/0/config/serial_number'
  const pair = (name: string, first: string, second: string, same: boolean): HostileCase => {
    const items: readonly Json[] = [first, second].map((serial) => ({
      type: 'product',
      config: { ...PRODUCT, serial_number: serial },
    }))
    const body = JSON.stringify(changed('/items', items))
    return same
      ? { name, body, expect: [400], errorPath: '/items/1/config/serial_number', stored: false }
      : { name, body, expect: [200] }
  }
  return [
    pair('the same serial number twice', 'S-1', 'S-1', true),
    pair('a serial number as NFC and as NFD', 'caf\u00e9', 'cafe\u0301', true),
    pair('a serial number with the Angstrom sign and with the letter', '\u212b-1', '\u00c5-1', true),
    pair('a serial number with and without spaces around', ' S-1 ', 'S-1', true),
    pair('a serial number with and without a no-break space behind', 'S-1\u00a0', 'S-1', true),
    pair('__proto__ as a serial number twice', '__proto__', '__proto__', true),
    pair('two serial numbers that differ in case', 's-1', 'S-1', false),
    pair('two serial numbers that differ in a space within', 'S 1', 'S1', false),
    pair('two serial numbers that look alike in Latin and Cyrillic', 'A-1', '\u0410-1', false),
    pair('two serial numbers that NFKC would make one', '\u2460', '1', false),
    pair('__proto__ and constructor as two serial numbers', '__proto__', 'constructor', false),
    refused('a serial number of spaces', at, '   '),
    refused('a serial number of no-break spaces', at, '\u00a0\u00a0'),
    refused('a serial number of an ideographic space', at, '\u3000'),
    { ...accepted('a serial number of a zero-width space', at, '\u200b'), expect: [200, 400] },
    accepted('a serial number with spaces around', at, '  S-1  '),
  ]
}

/** Bytes that no UTF-8 text holds, put where the name of the customer stands. */
function byteCases({ changed }: Workbench): readonly HostileCase[] {
  const bytes: Readonly<Record<string, readonly number[]>> = {
    'a lone continuation byte': [0x80],
    'a slash encoded too long, in two bytes': [0xc0, 0xaf],
    'a NUL encoded too long': [0xc0, 0x80],
    'a slash encoded too long, in three bytes': [0xe0, 0x80, 0xaf],
    'a surrogate in three bytes': [0xed, 0xa0, 0x80],
    'a pair of surrogates in six bytes': [0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80],
    'a code point beyond U+10FFFF': [0xf4, 0x90, 0x80, 0x80],
    'a sequence of five bytes': [0xf8, 0x88, 0x80, 0x80, 0x80],
    'a sequence that is cut off': [0xe2, 0x82],
    'the byte FE': [0xfe],
    'the byte FF': [0xff],
    'a letter in Latin-1': [0xe9],
    'a bare NUL': [0x00],
    'a bare line feed': [0x0a],
    'a bare escape character': [0x1b],
  }
  return Object.entries(bytes).map(([what, list]): HostileCase => {
    const [before = '', after = ''] = JSON.stringify(changed('/customer_id', '@@')).split('@@')
    const body = Buffer.concat([Buffer.from(`${before}x`), Buffer.from(list), Buffer.from(`y${after}`)])
    return { name: `${what} within a string`, body, expect: [400], stored: false }
  })
}
