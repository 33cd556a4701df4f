// Tests that settings are detected from evidence, requested without it, and rejected if the file contradicts them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { detect, ordersOf } from '../../test/import-reading.ts'
import { FILE_MESSAGES } from './messages.ts'
import type { Settings } from './settings.ts'

const HEADER = 'customer_id;order_id;order_date;tenure_start_date;packaging_id;packaging_weight_kg'
const file = (...rows: readonly string[]): string => [HEADER, ...rows].map((row) => `${row}\n`).join('')
const row = (date: string, weight: string, id = '1'): string => `c;o-${id};${date};${date};box;${weight}`

async function settingsOf(bytes: string | Buffer, asked: Partial<Settings> = {}) {
  const detected = await detect(bytes, asked)
  assert.ok(detected.ok, JSON.stringify(detected))
  return detected
}

async function problemsOf(bytes: string | Buffer, asked: Partial<Settings> = {}) {
  const detected = await detect(bytes, asked)
  assert.ok(!detected.ok, JSON.stringify(detected))
  return detected.problems
}

const pathsOf = async (bytes: string | Buffer, asked: Partial<Settings> = {}) =>
  (await problemsOf(bytes, asked)).map(({ path }) => path)

test('every setting that is found comes with what tells it', async () => {
  const { settings, evidence } = await settingsOf(file(row('24.12.2024', '0,26')))
  const { columns, sheet, ...found } = settings
  assert.deepEqual(found, {
    format: 'csv',
    layout: 'orders',
    encoding: 'utf-8',
    delimiter: ';',
    decimal: 'comma',
    dates: 'DD.MM.YYYY',
  })
  assert.deepEqual([sheet, Object.keys(columns).length], [null, 6])
  assert.deepEqual(new Set(evidence.map(({ setting }) => setting)), new Set(Object.keys(found)))
  assert.ok(evidence.every(({ because }) => because.length > 10))
})

test('headers are known whatever their case, spaces and hyphens, and others as they are said to be', async () => {
  const text =
    'Customer ID,ORDER-ID,Order date, tenure start date ,Bestellnotiz,Kiste,packaging weight kg\n' +
    'c,o,2024-12-12,2024-12-12,,box,1\n'
  const { columns } = await settingsOf(text, { columns: { bestellnotiz: '-', Kiste: 'packaging_id' } })
  assert.deepEqual(
    columns.map(({ member }) => member),
    ['customer_id', 'order_id', 'order_date', 'tenure_start_date', null, 'packaging_id', 'packaging_weight_kg'],
  )
})

test('all that is wrong with a header is told at once, with the nearest column and how to say what it is', async () => {
  const problems = await problemsOf(
    'customer_id,customer-id,order_id,order_dat,tenure_start_date,Seriennummer,brand_2\n',
    {
      columns: { Serie: 'serial_number' },
    },
  )
  assert.deepEqual(
    problems.map(({ path }) => path),
    [
      '/columns/Serie',
      '/columns/order_dat',
      '/columns/Seriennummer',
      '/columns/customer-id',
      '/columns',
      '/columns',
      '/columns',
      '/columns',
      '/columns',
    ],
  )
  const [serie, date, , second, ...missing] = problems
  assert.deepEqual(serie?.suggestions, ['Seriennummer'])
  assert.deepEqual(date?.suggestions?.[0], 'order_date')
  assert.match(date.message, /columns: \{"order_dat": "order_date"\}.*metadata\.order_dat.*"-"/s)
  assert.match(second!.message, /both mean customer_id/)
  assert.match(missing.map(({ message }) => message).join(), /"order_date".*"product_id_2".*"serial_number_2"/s)
})

test('the usual words of the trade are suggested, in English and German, and never just taken', async () => {
  const suggested = async (header: string) =>
    Object.fromEntries(
      (await problemsOf(`${header}\n`))
        .filter(({ path }) => path !== '/columns')
        .map(({ path, suggestions }) => [path.replace('/columns/', ''), suggestions?.[0]]),
    )
  const german =
    'Auftragsnr.,Kunde,Mietbeginn,Seriennummer,Artikel-Nr,Laufzeit (Monate),Gewicht in kg,Länge,Kostenstelle'
  assert.deepEqual(await suggested(german), {
    'Auftragsnr.': 'order_id',
    Kunde: 'customer_id',
    Mietbeginn: 'tenure_start_date',
    Seriennummer: 'serial_number',
    'Artikel-Nr': 'product_id',
    'Laufzeit (Monate)': 'tenure_months',
    'Gewicht in kg': 'weight_kg',
    Länge: undefined,
    Kostenstelle: 'metadata.Kostenstelle',
  })
  assert.deepEqual(await suggested('Customer no.,SN,SKU 2,Rental start,Distance (km),Mode,packaging'), {
    'Customer no.': 'customer_id',
    SN: 'serial_number',
    'SKU 2': 'product_id_2',
    'Rental start': 'tenure_start_date',
    'Distance (km)': 'distance_km',
    Mode: 'transportation_mode',
    packaging: 'packaging_id',
  })
  // A table may omit the mode of a transport, but never its id.
  assert.deepEqual(await suggested('Versandart,Lieferart'), {
    Versandart: 'transportation_id',
    Lieferart: 'transportation_id',
  })
  const [written] = await problemsOf('Laufzeit (Monate)\n')
  assert.match(written!.message, /^There is no column "Laufzeit \(Monate\)" in the layout/)
  const missing = (await problemsOf('Auftragsnr.,Menge\n')).map(({ message }) => message).join()
  assert.match(missing, /no column "order_id"; if it is "Auftragsnr\."/)
  assert.match(missing, /no quantities/)
})

test('text that is not UTF-8 is not guessed at: it is shown in both readings', async () => {
  const bytes = Buffer.from(file(row('2024-12-24', '0.26')).replace('box', 'Größe'), 'latin1')
  const [problem, ...others] = await problemsOf(bytes)
  assert.deepEqual(others, [])
  assert.deepEqual([problem!.path, problem!.suggestions?.[0]], ['/encoding', 'windows-1252'])
  assert.match(problem!.message, /"Größe"/)
  const [order] = await ordersOf(bytes, { encoding: 'windows-1252' })
  assert.match(JSON.stringify(order!.body), /Größe/)
})

test('what else is wrong is told beside an encoding that is not known', async () => {
  const bytes = Buffer.from(
    file(row('24.12.2024', '1.234')).replace('box', 'Größe').replace('order_date', 'day'),
    'latin1',
  )
  const paths = await pathsOf(bytes, { dates: 'MM/DD/YYYY' })
  assert.deepEqual(paths, ['/columns/day', '/columns', '/encoding', '/decimal', '/dates'])
})

test('an encoding that the bytes rule out is refused', async () => {
  const text = file(row('2024-12-24', '0.26')).replace('box', 'Größe')
  assert.deepEqual(await pathsOf(text, { encoding: 'windows-1252' }), ['/encoding'])
  const [marked, ...others] = await problemsOf(Buffer.from(`\ufeff${text}`, 'utf16le'), { encoding: 'utf-8' })
  assert.deepEqual([marked!.path, others], ['/encoding', []])
  assert.equal(marked!.message, 'The file is not utf-8: it begins with the byte order mark of utf-16le')
  assert.deepEqual(await pathsOf(text, { encoding: 'utf-16le' }), ['/encoding'])
})

test('days and numbers that may mean two things are asked for', async () => {
  const ambiguous = file(row('01/02/2024', '1.234'), row('03/04/2024', '2.500', '2'))
  assert.deepEqual(await pathsOf(ambiguous), ['/decimal', '/dates'])
  const { settings } = await settingsOf(ambiguous, { decimal: 'point', dates: 'DD/MM/YYYY' })
  assert.deepEqual([settings.decimal, settings.dates], ['point', 'DD/MM/YYYY'])
})

test('one day later than the 12th tells days from months', async () => {
  const american = await settingsOf(file(row('01/02/2024', '1'), row('12/24/2024', '1', '2')))
  assert.equal(american.settings.dates, 'MM/DD/YYYY')
  assert.match(american.evidence.find(({ setting }) => setting === 'dates')!.because, /12\/24\/2024/)
  const british = await settingsOf(file(row('01/02/2024', '1'), row('24/12/2024', '1', '2')))
  assert.equal(british.settings.dates, 'DD/MM/YYYY')
  assert.deepEqual(await pathsOf(file(row('12/24/2024', '1'), row('24/12/2024', '1', '2'))), ['/dates'])
})

test('a setting that the cells contradict is refused', async () => {
  const text = file(row('24.12.2024', '0,26'))
  assert.deepEqual(await pathsOf(text, { decimal: 'point', dates: 'MM/DD/YYYY' }), ['/decimal', '/dates'])
  assert.deepEqual(await pathsOf(text, { format: 'xlsx' }), ['/format'])
  assert.deepEqual((await pathsOf(text, { delimiter: ',' }))[0], '/delimiter')
})

test('a few faulty cells do not change what the others tell', async () => {
  const rows = Array.from({ length: 30 }, (_, at) => row('24/12/2024', '1.5', String(at)))
  const { settings } = await settingsOf(file(...rows, row('12/24/2024', '1,5', 'faulty')))
  assert.deepEqual([settings.dates, settings.decimal], ['DD/MM/YYYY', 'point'])
})

test('a header of nothing but strangers is told of in bounded time and length', async () => {
  const strangers = (count: number): string =>
    `${Array.from({ length: count }, (_, at) => `stranger ${at}`).join(',')}\n`
  assert.equal((await problemsOf(strangers(16_000))).length, 50)
  assert.match((await problemsOf(strangers(60_000)))[0]!.message, /more than 16384/)
})

test('settings that are none, and files that hold nothing, are refused', async () => {
  assert.deepEqual(await pathsOf(file(), { delimeter: ';', decimal: 'dot' } as never), ['/delimeter', '/decimal'])
  assert.deepEqual(await pathsOf(''), ['/format'])
  assert.deepEqual(await pathsOf(' \n \n'), ['/format'])
  assert.deepEqual(await pathsOf('[{"customer_id":"c"}]'), ['/format'])
  for (const ends of ['a,b\rc,d\r', 'a,b\rc,d\r\ne,f\r\n']) assert.deepEqual(await pathsOf(ends), ['/format'])
})

test('lines that end with one CR too many are read as if they had one', async () => {
  const text = file(row('24.12.2024', '0,26'), row('25.12.2024', '"0,5"', '2')).replaceAll('\n', '\r\r\n')
  const read = await ordersOf(text)
  assert.deepEqual([read.length, read.flatMap(({ errors }) => errors)], [2, []])
})

test('a file that is no table is called what it is, and is not asked about', async () => {
  const types = [
    ['\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'PNG'],
    ['%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'PDF'],
    ['{\\rtf1\\ansi}', 'RTF'],
    ['\ufeff<!DOCTYPE html><table>', 'HTML'],
    ['\x7fELF\x02\x01\x01\0\0\0\0\0', null],
  ] as const
  for (const [begins, type] of types) {
    const bytes = Buffer.from(begins, begins.startsWith('\ufeff') ? 'utf8' : 'latin1')
    const message = type === null ? FILE_MESSAGES.file_not_text() : FILE_MESSAGES.file_type_unsupported({ type })
    assert.deepEqual(await problemsOf(bytes), [{ path: '/format', ...message }])
  }
  const utf16 = Buffer.from(file(row('24.12.2024', '0,26')), 'utf16le')
  assert.equal((await settingsOf(utf16)).settings.encoding, 'utf-16le')
})

test('JSON lines have the layout that their first line shows', async () => {
  const whole = await settingsOf('{"customer_id":"c","order_id":"o","items":[]}\n')
  assert.deepEqual([whole.settings.format, whole.settings.layout], ['jsonl', 'orders'])
  const flat =
    '{"customer_id":"c","order_id":"o","order_date":"2024-12-12","tenure_start_date":"2024-12-12","type":"product"}\n'
  const item = await settingsOf(flat)
  assert.equal(item.settings.layout, 'items')
  assert.deepEqual(await pathsOf(flat.replace('order_date', 'orderdat')), ['/columns/orderdat', '/columns'])
})
