// How the words of a text are read, by kind of fault: each row is a text and what it is, with counter-examples.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shippedReferenceData } from '../../../test/shipped-book.ts'
import { deviceTypeInText } from './device-type.ts'
import { createMatcher } from './matcher.ts'

const { referenceData } = shippedReferenceData()
const matcher = createMatcher(referenceData)
const matched = (productName: string, brand: string | null = null) =>
  matcher.match({ productName, brand, deviceType: null, productId: null })
const typeOf = (text: string, maker: string | null = null) => deviceTypeInText(text, maker, referenceData.matching)

const DEVICES = [
  'Dell Inspiron 3520 Laptop, Backlit Keyboard',
  'Acer Aspire 5 Laptop (8GB RAM, Wireless Mouse)',
  'HP 15s Notebook, Backlit Keyboard, Fingerprint Reader',
  'BenQ GW2490 23.8" IPS Monitor, VESA wall mountable',
  'Samsung M5 Smart Monitor, Mouse & Keyboard Control',
  'ASUS ROG Strix G16 90WHr Battery Gaming Laptop',
  'realme NARZO 70x 5G 128GB, 45W Charger in the Box',
  'Philips 243V7 Monitor, VESA Mount, HDMI Kabel',
  'EliteBook Folio 1040 G3',
  'HP Spectre Folio 13',
  'Galaxy Note Fan Edition',
  'Nintendo Game Boy Advance',
  'Motorola Moto G Stylus 5G',
  'MacBook Air 13.3" Core i5 OS X 10.8 Mountain Lion',
  'AOC 24 inch IPS Adaptive Sync Monitor',
  'Sony kabellose Kopfhörer',
  'Logitech Headset H390',
  'Lüfterloses Notebook 14 Zoll',
]

const THINGS = [
  'Kensington MicroSaver notebook lock 64068F',
  '4GB DDR3 SO-DIMM 1333 laptop memory',
  '500 GB 5400rpm 2.5-inch notebook hard drive',
  'laptop cooling pad with 5 fans',
  'USB-C hub for laptop',
  'Laptop Tasche 15,6 Zoll',
  'Charger, 65W, for laptop',
  'Laptop Charger 65W USB-C',
  'Hülle für Tablet, schwarz',
  'dual LCD monitor arm, black',
  'Polar V800 heart rate monitor watch',
  'baby monitor with camera',
  'Spiral notebook A5 lined',
  '3-subject notebook, college ruled, 120 sheets',
  'EliteBook Folio case',
  'Headset Tasche',
]

test('a device is no accessory for the equipment that stands beside it', () => {
  assert.deepEqual(
    DEVICES.filter((text) => matched(text).isAccessory),
    [],
  )
})

test('a thing for a device, and a word of a device that means something else, are no device', () => {
  assert.deepEqual(
    THINGS.filter((text) => !matched(text).isAccessory),
    [],
  )
})

test('types are told in six languages, by parts and by codes', () => {
  for (const [text, type] of [
    ['Bildschirm 27 Zoll', 'monitor'],
    ['Écran PC 24 pouces HDMI', 'monitor'],
    ['beeldscherm 24 inch', 'monitor'],
    ['HP ordenador portátil 15.6 i5 8GB', 'laptop'],
    ['HP Portable', 'laptop'],
    ['Portable monitor 15.6', 'monitor'],
    ['WD portable SSD', null],
    ['Téléphone portable Wiko', 'mobile'],
    ['Samsung A12 écran cassé', null],
    ['LG 27 inch Full HD LED Backlit IPS Panel', 'monitor'],
    ['LG 43 inch Full HD LED TV', null],
    ['Koptelefoon draadloos', 'headphone'],
  ] as const)
    assert.equal(typeOf(text), type, text)
  for (const text of ['Omen 17-W295', 'Omen 15-ce006nv', '14-dq1033cl']) assert.equal(typeOf(text, 'hp'), 'laptop')
  assert.equal(typeOf('24-f0014na', 'hp'), null)
  for (const text of ['20N2CTO1WW', '80SM', '82FG0164GE']) assert.equal(typeOf(text, 'lenovo'), 'laptop')
  assert.equal(typeOf('20N2CTO1WW', 'dell'), null)
})

test('plain specifications, processors and office packages leave an exact number as it is', () => {
  for (const text of [
    '1920x1080 Pixels',
    '3-Sided Bezel-less',
    '1xHDMI',
    '2 x DP',
    'Slim Bezel',
    'Micro Edge',
    'IPS 1x VGA 4 way adjustable',
  ])
    assert.equal(matched(`Dell P2422H ${text}`, 'Dell').model, 'dell-p2422h', text)
  for (const text of ['Pro', 'Max', 'P2722H']) assert.equal(matched(`Dell P2422H ${text}`, 'Dell').model, null, text)
  for (const text of ['with MSO 2021', 'Office 2019', 'MS Office Home & Student 2021', 'H&S 2019', 'MSO 21'])
    assert.equal(matched(`Dell Latitude 7490 ${text}`, 'Dell').model, 'dell-latitude-7490', text)
  assert.equal(matched('HP 250 G9 1215U', 'HP').model, 'hp-250-g9-notebook-pc')
  assert.equal(matched('Lenovo ThinkPad T470 Intel Core i5 7th Gen', 'Lenovo').model, 'lenovo-thinkpad-t470')
})

test('numbers behind a name and behind a slug do not hide the model', () => {
  for (const [text, model] of [
    ['ThinkPad X270 W10DG 20K5S3AC00', 'lenovo-thinkpad-x270'],
    ['ThinkPad Edge E431 627748G', 'lenovo-thinkpad-edge-e431'],
    ['ThinkPad T470 2356LRS', 'lenovo-thinkpad-t470'],
    ['HP 250 G9 1235U 8GB', 'hp-250-g9-notebook-pc'],
    ['apple-macbook-pro-2023-m2-16-2 M2 Max 64 GB 1000 GB SSD', 'apple-macbook-pro-16-m2-max-1tb'],
    ['apple-iphone-13-256gb-black-2', 'apple-iphone-13-256gb'],
    ['HP Elite Book 840 G7', 'hp-elitebook-840-g7'],
    ['Think Pad T490', 'lenovo-thinkpad-t490'],
    ['Play Station 4', 'sony-playstation-4'],
  ] as const)
    assert.equal(matched(text).model, model, text)
  assert.equal(matched('ThinkPad T470 P2422H').model, null)
})

test('foreign words are no misspellings, and a line of many generations is no model', () => {
  for (const text of ['Nike DF Piel FG-Negro', 'Maletín de piel II', 'ThinkPad X1 Carbon', 'ThinkPad X1 Yoga'])
    assert.equal(matched(text).model, null, text)
})

test('candidates are of one type, the nearest numbers first', () => {
  const ids = (text: string, brand: string) => matched(text, brand).candidates.map(({ id }) => id)
  assert.deepEqual(ids('Latitude 5440', 'Dell').slice(0, 2), ['dell-latitude-5440', 'dell-latitude-5431'])
  assert.equal(ids('PlayStation 5 Slim', 'Sony')[0], 'sony-playstation-4')
})

test('a device of before 2020 is not the one with 5G, and another edition of a phone is another phone', () => {
  const others = [
    'Lenovo Tab 7 5G',
    'Lenovo Tab M10 5G',
    'Galaxy S8 5G',
    'iPhone 8 64GB 5G',
    'Huawei Mate 9 5G',
    'Huawei Mate 20 RS',
    'Huawei Mate 20 Porsche Design',
    'Xiaomi 13 Pro Explorer',
    'Google Pixel 6 Youth',
    'Fairphone 4 GT',
  ]
  for (const text of others) assert.equal(matched(text).model, null, text)
  assert.equal(matched('Pixel 5a 5G', 'Google').model, 'google-pixel-5a-5g')
  assert.equal(matched('Fairphone 4 5G').model, 'fairphone-4')
})

test('a sheet of the version with a mobile network stands in for a tablet of which none is stated, and says so', () => {
  for (const text of ['Apple iPad 2', 'iPad 2 Wi-Fi', 'iPad 2 white'])
    assert.deepEqual(
      [matched(text, 'Apple').model, matched(text, 'Apple').isVariant],
      ['apple-ipad-2-cellular', true],
      text,
    )
  assert.equal(matched('iPad 2 Wi-Fi + Cellular', 'Apple').isVariant, false)
})

test('specifications as registers and shops write them do not hide an exact number', () => {
  const named: readonly (readonly [text: string, model: string])[] = [
    ['DELL LATITUDE 5420 11TH GEN CI5 256GBSSD 16GB RAM TOUCH BACKLIT', 'dell-latitude-5420'],
    ['Dell Latitude 5410 CI7 16GB', 'dell-latitude-5410'],
    ['HP 255 G8 Notebook (AMD Ryzen™ 3 3250U/8GB RAM/512GB SSD)', 'hp-255-g8'],
    ['Lenovo IdeaPad S145-14AST 81ST', 'lenovo-ideapad-s145-14'],
    ['HP Chromebook 11a, MediaTek MT8183 Processor, Thin and Light', 'hp-chromebook-11a'],
    ['Смартфон Apple iPhone 13 128Gb синий', 'apple-iphone-13-128gb'],
    ['iPhone 12 64GB, чёрный', 'apple-iphone-12-64gb'],
    ['Ноутбук HP EliteBook 840 G7', 'hp-elitebook-840-g7'],
    ['Lenovo Tab M10 (HD)', 'lenovo-tab-m10-hd'],
  ]
  assert.deepEqual(
    named.map(([text]) => [text, matched(text).model]),
    named,
  )
  assert.equal(matched('Чехол для iPhone 12 64GB').model, null)
  assert.equal(matched('iPhone 12 64GB запчасти').model, null)
})
