// Silent siblings, the worst error of a matcher: a text is matched to another generation, grade or line than it means.
// Every text here was once matched to a sibling.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shippedReferenceData } from '../../../test/shipped-book.ts'
import type { DeviceType } from '../reference/reference-data.ts'
import { createMatcher } from './matcher.ts'

const { referenceData } = shippedReferenceData()
const matcher = createMatcher(referenceData)

const matchName = (productName: string, brand: string | null = null, deviceType: DeviceType | null = null) =>
  matcher.match({ productName, brand, deviceType, productId: null })
const matchBoth = (productName: string, productId: string) =>
  matcher.match({ productName, brand: null, deviceType: null, productId }).model

/** The texts that are matched, with the model. */
const matched = (texts: readonly string[]) =>
  texts
    .map((text) => ({ text, model: matchName(text).model }))
    .filter(({ model }) => model !== null)
    .map(({ text, model }) => `${text}: ${model}`)

const NAMES_WITH_OTHER_IDS: readonly (readonly [name: string, ids: string])[] = [
  ['Dell Latitude 5420', 'latitude-5440 LAT5440 latitude-5420-rugged'],
  ['Dell Latitude 5430', 'LAT-5440-I5'],
  ['Dell U2722DE', 'U2722D u2724de'],
  ['Dell P2422H', 'se2422hx AW3423DWF'],
  ['iPhone 13', 'iphone-7 iphone-13-pro'],
  ['iPhone 13 256GB', 'ip13m'],
  ['iPhone 14 256GB', 'iphone-14-15'],
  ['iPhone 16', 'iphone-16e'],
  ['Galaxy S24', 'galaxy-s23 SM-S721B'],
  ['Surface Laptop', 'surface-laptop-5 SL5 laptop-5'],
  ['Surface Laptop Go', 'surface-laptop-go-3'],
  ['Surface Laptop Studio', 'sls2'],
  ['Surface Pro 7', 'surface-pro-9 spro9'],
  ['Surface Go 3', 'surface-go-4'],
  ['ThinkPad X1 Carbon', 'x1-carbon-9 x1c9 x1-carbon-2021 20XW005KGE'],
  ['ThinkPad T490', 't490s thinkpad-t480'],
  ['ThinkPad E14', 'e14-2 NB-I5-1235U'],
  ['Pixel 6', 'pixel-9'],
  ['Pixel 4a (5G)', 'pixel-5a-5g'],
  ['Pixel 6 Pro', 'hp-11-inch-tablet-pc'],
  ['Fairphone 4', 'fairphone-5'],
  ['iPad (9th generation)', 'ipad-8'],
  ['MacBook Air 13 M2', 'macbook-air-15'],
  ['MacBook Pro 16 M3 Max', 'mbp14'],
]

test('a product id that names a sibling of what the name says decides nothing', () => {
  const wrong = NAMES_WITH_OTHER_IDS.flatMap(([name, ids]) =>
    ids.split(' ').flatMap((id) => (matchBoth(name, id) === null ? [] : [`${name} + ${id}: ${matchBoth(name, id)}`])),
  )
  assert.deepEqual(wrong, [])
})

test('a product id that names nothing, or the same, leaves the name its say', () => {
  const pairs = [
    ['Dell Latitude 5430', 'NB-4411-LAT', 'dell-latitude-5430'],
    ['Dell Latitude 5420', 'P-000123', 'dell-latitude-5420'],
    ['Dell Latitude 5420', '5440', 'dell-latitude-5420'],
    ['Dell Latitude 5420', 'LAT-5420-16-512', 'dell-latitude-5420'],
    ['iPhone 13 256GB', 'IPH13-0815', 'apple-iphone-13-256gb'],
    ['iPhone 13 256GB', 'iphone-13-4711', 'apple-iphone-13-256gb'],
    ['Dell U2722DE', 'MON-0012', 'dell-u2722de'],
    ['Galaxy S24', 'SM-S921B', 'samsung-galaxy-s24'],
  ] as const
  assert.deepEqual(
    pairs.map(([name, id]) => matchBoth(name, id)),
    pairs.map(([, , model]) => model),
  )
})

const PROCESSORS = [
  'THINKPAD_E14_I5_1235U',
  'X1_CARBON_I7_1165G7',
  'DELL_LATITUDE_5550_CORE_ULTRA_7_165H',
  'Dell Latitude 7450 i7-5600U',
  'ThinkPad E14 i5-1135G7',
  'ThinkBook Plus i7-1165G7',
  'IdeaPad 5 15 i5-1135G7',
  'ThinkBook 13s ITL',
  'ThinkPad 13 i5-8250U',
  'ThinkPad X1 Extreme i7-10750H',
  'ThinkPad X1 Carbon i5-6300U',
  'ThinkPad E14 Ryzen 5 5500U',
  'ThinkPad E14 AMD',
  'IdeaPad Gaming 3 15 Ryzen 5 5600H',
  'Surface Laptop Ryzen 5',
  'HP ZBook Power G8 AMD',
  'ThinkPad X390 AMD',
  'ThinkPad E565 Intel',
  'Latitude 5490 AMD',
  'Surface Laptop Snapdragon X',
  'Surface Laptop Copilot+ PC',
  'Surface Laptop i5-8250U',
  'Surface Laptop 12th Gen Intel',
  'Surface Laptop Studio RTX 4050',
  'ThinkPad X1 Carbon 20XW005KGE',
]

test('a processor that the model never had makes it another model', () => {
  assert.deepEqual(matched(PROCESSORS), [])
  assert.equal(matchName('Surface Laptop i5-7200U').model, 'microsoft-surface-laptop')
  assert.equal(matchName('Dell Latitude 5490 i7-8650U AMD Radeon 540').model, 'dell-latitude-5490')
  assert.equal(matchName('ThinkPad E14 i5-10210U').model, 'lenovo-thinkpad-e14')
})

test('a number that its maker used again means a model only with its processor or year', () => {
  assert.deepEqual(matched(['Latitude 3350', 'Latitude 3550', 'Latitude 5450', 'Latitude 5550', 'Latitude 7350']), [])
  assert.equal(matchName('Latitude 5450 i5-5300U').model, 'dell-latitude-5450')
  assert.equal(matchName('Latitude 5450 2015').model, 'dell-latitude-5450')
})

const GENERATIONS = [
  'Surface Laptop 5 W/ 16GB RAM',
  'Surface Laptop Go 3 w/ Windows 11',
  'Surface Laptop 3 x Neu',
  'Surface Laptop 05',
  'Surface Laptop Go03',
  'SURFACE, LAPTOP, GO, 3',
  'Surface Laptop III',
  'Surface Laptop five',
  'Surface Laptop 13-inch',
  'Surface Laptop Go 2023',
  'X1 Carbon VI',
  'X1 Carbon 9 w/ Win 11',
  'ThinkPad X1 Carbon 6 256GB',
  'ThinkPad P1 4 512GB',
  'ThinkPad E14 4 256GB',
  'ThinkBook 13s 4 512GB',
  'iPad (A10)',
]

test('a generation is a generation before units, storage and commas, in letters, and in Roman numbers', () => {
  assert.deepEqual(matched(GENERATIONS), [])
  assert.equal(matchName('Surface Duo II').model, 'microsoft-surface-duo-2')
})

const LINES = [
  'Latitude 7320 Tablet',
  'EliteBook 830 G8 Convertible',
  'Nothing Headphone (1)',
  'Nothing CMF Phone 1',
  'Nothing Phone (2a)+',
  'Xbox One SAD',
  'PS4 The Last of Us Part II',
  'Galaxy Z Fold6 Special Edition',
  'ThinkBook Plus Twist',
  'ThinkPad X1 Yoga Titanium',
  'Huawei Mate 40 Pro 4G',
  'HP E24 G4 QHD',
  'HP E24 G4 USB-C',
  'HP E24 G4 Touch',
  'HP E27 G4 4K',
  'HP Z27q G3 5K',
]

test('a word that names another line is heard, whether or not the catalogue has the line', () => {
  assert.deepEqual(matched(LINES), [])
  assert.equal(matchName('Dell Latitude 5310 Convertible').model, 'dell-latitude-5310-2-in-1')
  assert.equal(matchName('iPhone 15 Pro 512GB Natural Titanium').model, 'apple-iphone-15-pro-512gb')
})

test('a grade with a slip of the keyboard, or in another script, is not passed over', () => {
  const slips = [
    'iPhone 12 Por',
    'iPhone 12 Prro',
    'iPhone 12 mni',
    'iPhone 14 Plsu',
    'Galaxy S24 Pluss',
    'Pixel 6 Por',
    'iPhone 14 Pro Mxa',
    'iPhone 13 Pro Mx',
    'Galaxy S24 eF',
    'Galaxy S24 Ult',
    'Pixel 3 LX',
  ]
  const scripts = ['iPhone 13 Рro', 'iPhone 15 プロ', 'Surface Laptop ٥']
  assert.deepEqual(matched([...slips, ...scripts]), [])
})

test('a number is not put together from two', () => {
  assert.deepEqual(matched(['GT-I9100 (Galaxy S2) (4)', 'Galaxy S2 4']), [])
})

test('the words of an id may be parted by dots, and none of them is passed over', () => {
  const id = (productId: string) => matcher.match({ productName: null, brand: null, deviceType: null, productId }).model
  assert.equal(id('apple.iphone.11.pm.64'), 'apple-iphone-11-pro-max-64gb')
  assert.equal(id('apple.macbook.air.13.6.m2.256'), 'apple-macbook-air-13-m2-256gb-2022')
  assert.equal(id('surface.book.2.15'), 'microsoft-surface-book-2-15-inch')
  assert.deepEqual(['hp.z27q.g3.4k', 'HP.ELITEBOOK.835.G11.R5.16.512', 'sam.gal.s24.fe'].map(id), [null, null, null])
})

test('a game, a disk or a case is not the device that it is for, nor is another product of a short name', () => {
  const texts = [
    'Xbox Series X Festplatte 1TB',
    'PS4 Laufwerk 500GB',
    'Galaxy S24 Silikoncover',
    'iPhone 15 Clearcase',
    'iPhone 14 Leerkarton',
    'Xbox One S Forza Horizon 4',
    'Microsoft Office 2019 SP6',
    'MS SP7+ i5',
    'Galaxy Tab Active Pro T547',
  ]
  assert.deepEqual(matched(texts), [])
})

test('a text of two devices, or longer than what is read of it, means none for certain', () => {
  assert.deepEqual(matched(['iPhone 13 256GB / iPhone 13 Pro', `iPhone 13 256GB ${'x'.repeat(200)} Pro`]), [])
  assert.equal(matchName(`iPhone 13${' '.repeat(300)}Pro 256GB`).model, 'apple-iphone-13-pro-256gb')
})

test('a type of device that the model is not of decides nothing', () => {
  assert.equal(matchName('MacBook Air 13 M2', 'Apple', 'tablet').model, null)
  assert.equal(matchName('iPad Pro 11 (4th generation) 128GB', null, 'laptop').model, null)
  assert.equal(matchName('S24', 'Samsung').model, null)
  assert.equal(matchName('Surface Pro 7', null, 'laptop').model, 'microsoft-surface-pro-7')
})

test('another stand than that of the sheet is told as a variant', () => {
  const isVariant = (stand: string) => matchName(`Apple Studio Display with ${stand} stand`).isVariant
  assert.deepEqual([isVariant('tilt-adjustable'), isVariant('height-adjustable')], [false, true])
})

test('words of every day that are a model’s name are none of it beside others, unless its maker is named', () => {
  assert.equal(matchName('STUDIO-DISPLAY-WALL').model, null)
  assert.equal(matchName('Studio Display, office', 'Apple').model, 'apple-studio-display-tilt-adjustable-stand')
  assert.equal(matchName('studio-display').model, 'apple-studio-display-tilt-adjustable-stand')
})

test('another processor of a line with sheets by processor, another series or another number is another model', () => {
  const others = [
    'Lenovo V110-15AST',
    'HP ENVY x360 2-in-1 Laptop 15-es',
    'HP Engage Go 12 Mobile System',
    'Acer Chromebook Spin 511 R756TD',
    'Acer Chromebook Spin 512 R756T',
    'Lenovo V15-IIL 82C5',
  ]
  assert.deepEqual(matched(others), [])
  assert.equal(matchName('Lenovo IdeaPad 320-15ISK 80XH').model, 'lenovo-ideapad-320-15-320-15-touch-520-15')
  assert.equal(matchName('Lenovo Tab M10 HD 32GB').model, 'lenovo-tab-m10-hd')
})
