// The corpus of requests without a valid API key: every one must get the same answer 401, to the byte.

/** An array is one header sent several times; bytes beyond ASCII stand as Latin-1, as Node writes them. */
export type HostileKey = {
  readonly name: string
  readonly headers: Readonly<Record<string, string | string[]>>
  /** Put behind the path, with its question mark. */
  readonly query?: string
}

const RANDOM_LENGTH = 32
const CHECK_LENGTH = 6
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/**
 * Spaces and tabs around a header's value belong to HTTP and not to the key, so they are no variants.
 * The valid key must be `cradle_`, 32 characters and 6 characters of checksum.
 */
export function hostileKeys(validKey: string): readonly HostileKey[] {
  const sent = (name: string, value: string | string[]): HostileKey => ({ name, headers: { 'x-api-key': value } })
  return [
    ...Object.entries(damagedKeys(validKey)).map(([name, key]) => sent(name, key)),
    ...Object.entries(otherTexts()).map(([name, text]) => sent(name, text)),
    ...Object.entries(wrappedKeys(validKey)).map(([name, text]) => sent(name, text)),
    sent('the key in two headers', [validKey, validKey]),
    sent('the key and an empty one in two headers', [validKey, '']),
    sent('a wrong key and the key in two headers', [`${validKey}x`, validKey]),
    ...elsewhere(validKey),
  ]
}

function damagedKeys(key: string): Readonly<Record<string, string>> {
  const start = key.length - RANDOM_LENGTH - CHECK_LENGTH
  const prefix = key.slice(0, start)
  const random = key.slice(start, -CHECK_LENGTH)
  const check = key.slice(-CHECK_LENGTH)
  const middle = start + RANDOM_LENGTH / 2
  return {
    'the first character of the random part changed': prefix + next(random.charAt(0)) + random.slice(1) + check,
    'the last character of the random part changed': prefix + random.slice(0, -1) + next(random.slice(-1)) + check,
    'the last character of the checksum changed': key.slice(0, -1) + next(key.slice(-1)),
    'the checksum all zeros': `${prefix}${random}${check === '000000' ? '111111' : '000000'}`,
    'no checksum': prefix + random,
    'the checksum alone': check,
    'the prefix alone': prefix,
    'the prefix without its underscore': prefix.slice(0, -1),
    'no prefix': random + check,
    'another prefix': `ghg_live_${random}${check}`,
    'a prefix in capitals': prefix.toUpperCase() + random + check,
    'a hyphen for the underscore': key.replace('_', '-'),
    'the underscore doubled': key.replace('_', '__'),
    'upper and lower case swapped': swapCase(key),
    'the case of the random part swapped': prefix + swapCase(random) + check,
    'all in capitals': key.toUpperCase(),
    'one character less': key.slice(0, -1),
    'one character less in front': key.slice(1),
    'one character more': `${key}0`,
    'one character more in front': `0${key}`,
    'half the key': key.slice(0, key.length / 2),
    'the key twice without a space': key + key,
    'the key backwards': [...key].reverse().join(''),
    'two neighbours exchanged': exchange(key, start),
    'a space within': `${key.slice(0, middle)} ${key.slice(middle)}`,
    'a tab within': `${key.slice(0, middle)}\t${key.slice(middle)}`,
    'a zero-width space behind': `${key}${latin1('\u200b')}`,
    'a no-break space behind, in Latin-1': `${key}\u00a0`,
    'a no-break space behind, in UTF-8': `${key}${latin1('\u00a0')}`,
    'a byte order mark in front': latin1('\ufeff') + key,
    'the next line control U+0085 behind': `${key}\u0085`,
    'a Cyrillic letter in the prefix': latin1(key.replace('a', '\u0430')),
    'full-width letters': latin1(key.replace(/[a-z]/g, toFullWidth)),
    'a combining accent behind': `${key}${latin1('\u0301')}`,
    'a wildcard for the last character': `${key.slice(0, -1)}%`,
    'an asterisk for the random part': `${prefix}*`,
  }
}

function wrappedKeys(key: string): Readonly<Record<string, string>> {
  return {
    'Bearer before the key': `Bearer ${key}`,
    'Basic before the key': `Basic ${Buffer.from(`${key}:`).toString('base64')}`,
    'ApiKey before the key': `ApiKey ${key}`,
    'the key in double quotes': `"${key}"`,
    'the key in single quotes': `'${key}'`,
    'the key in angle brackets': `<${key}>`,
    'the key as a JSON array': `["${key}"]`,
    'the key in base64': Buffer.from(key).toString('base64'),
    'the key in hexadecimal': Buffer.from(key).toString('hex'),
    'the key percent-encoded': key.replace('_', '%5F'),
    'the key with a percent-encoded NUL': `${key}%00`,
    'the key with an escaped line break': `${key}\\n`,
    'the key with a comma behind': `${key},`,
    'the key twice with a comma': `${key}, ${key}`,
    'the key behind another in a list': `none, ${key}`,
    'the key with a semicolon behind': `${key};`,
    'the key with a parameter': `${key}; charset=utf-8`,
    'the key as a member': `key=${key}`,
  }
}

function otherTexts(): Readonly<Record<string, string>> {
  return {
    'an empty value': '',
    'spaces only': '   ',
    'a tab only': '\t',
    'a lone comma': ',',
    'an underscore': '_',
    'the word null': 'null',
    'the word undefined': 'undefined',
    'the word true': 'true',
    'the number 0': '0',
    'the text of an object': '[object Object]',
    'an empty array': '[]',
    NaN: 'NaN',
    __proto__: '__proto__',
    constructor: 'constructor',
    'an SQL injection': "' OR '1'='1' --",
    'an SQL injection behind the prefix': "cradle_' OR 1=1; DROP TABLE api_keys; --",
    'an SQL comment': '/**/',
    'a look-up of Log4Shell': '${jndi:ldap://127.0.0.1/a}',
    'a path': '../../../etc/passwd',
    'a script element': '<script>alert(1)</script>',
    'a format string': '%s%s%s%n',
    'the placeholder of the documentation': '<API_KEY>',
    'a key of zeros': `cradle_${'0'.repeat(RANDOM_LENGTH + CHECK_LENGTH)}`,
    'a key of letters': `cradle_${'a'.repeat(RANDOM_LENGTH + CHECK_LENGTH)}`,
    'a JSON web token': 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJhZG1pbiJ9.',
    'a UUID': '00000000-0000-0000-0000-000000000000',
    'a text of 8 kB': 'a'.repeat(8_000),
    'a text of 8 kB behind the prefix': `cradle_${'0'.repeat(8_000)}`,
    'four thousand commas': ','.repeat(4_000),
    'bytes that are no UTF-8': '\u00ff\u00fe\u0080',
    'an emoji': latin1('😀'),
  }
}

/** The right key in a wrong place is no key. */
function elsewhere(key: string): readonly HostileKey[] {
  const headers: Readonly<Record<string, string>> = {
    authorization: `Bearer ${key}`,
    cookie: `X-API-Key=${key}; api_key=${key}`,
    'api-key': key,
    apikey: key,
    'x-apikey': key,
    x_api_key: key,
    'x-api-keys': key,
    'x-auth-token': key,
    'proxy-authorization': `Bearer ${key}`,
    'x-forwarded-x-api-key': key,
  }
  const queries = ['x-api-key', 'X-API-Key', 'api_key', 'apikey', 'key', 'access_token']
  const basic = Buffer.from(`${key}:`).toString('base64')
  return [
    { name: 'no header at all', headers: {} },
    ...Object.entries(headers).map(([header, value]) => ({
      name: `the key in ${header} only`,
      headers: { [header]: value },
    })),
    { name: 'the key bare in authorization only', headers: { authorization: key } },
    { name: 'the key as a user name', headers: { authorization: `Basic ${basic}` } },
    ...queries.map((query) => ({
      name: `the key as ${query} in the query only`,
      headers: {},
      query: `?${query}=${key}`,
    })),
  ]
}

function next(character: string): string {
  return BASE62.charAt((BASE62.indexOf(character) + 1) % BASE62.length)
}

function toFullWidth(letter: string): string {
  return String.fromCodePoint(letter.charCodeAt(0) + 0xfee0)
}

function swapCase(text: string): string {
  return text.replace(/[a-zA-Z]/g, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  )
}

/** Exchanges the first two neighbours from there on that differ. */
function exchange(key: string, start: number): string {
  let at = start
  while (at < key.length - 2 && key[at] === key[at + 1]) at += 1
  return key.slice(0, at) + key.charAt(at + 1) + key.charAt(at) + key.slice(at + 2)
}

/** The UTF-8 bytes of the text as the characters that Node writes as those bytes. */
function latin1(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1')
}
