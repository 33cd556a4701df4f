// The matcher: every model is found by each spelling of its names, and is never silently matched to a sibling.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { rounds } from '../../../test/rounds.ts'
import { shippedReferenceData } from '../../../test/shipped-book.ts'
import type { DeviceModel, DeviceType } from '../reference/reference-data.ts'
import { impliedTraits } from './match-facts.ts'
import { createMatcher, type Match } from './matcher.ts'
import { nearMissesOf, namesMeant, telling } from '../../../test/near-duplicates.ts'

const { referenceData } = shippedReferenceData()
const matcher = createMatcher(referenceData)
const models = [...referenceData.models.values()]
const aliasesOf = Map.groupBy(
  [...referenceData.aliases].flatMap(([alias, ids]) => ids.map((id) => ({ alias, id }))),
  ({ id }) => id,
)
const namesOf = ({ id, name, brand }: DeviceModel): readonly string[] => [
  `${brand} ${name}`,
  ...(aliasesOf.get(id) ?? []).map(({ alias }) => alias),
  ...(KNOWN_AS[id] ?? []),
]

/** Names of a model that are not in the catalogue. */
const KNOWN_AS: Readonly<Record<string, readonly string[]>> = {
  'apple-ipad-a16-128gb': ['iPad (11th generation)'],
  'apple-ipad-10th-generation-64gb': ['iPad (A14)'],
  'apple-ipad-10th-generation-256gb': ['iPad (A14)'],
  'dell-xps-9320': ['XPS 13 Plus'],
  'microsoft-surface-laptop': ['Surface Laptop 1'],
}

const matchName = (productName: string, brand: string | null = null, deviceType: DeviceType | null = null): Match =>
  matcher.match({ productName, brand, deviceType, productId: null })
const matchId = (productId: string): Match =>
  matcher.match({ productName: null, brand: null, deviceType: null, productId })

/** A name without the parts in which its variants differ. */
const modelMeant = (id: string | null): string | null =>
  id === null ? null : namesMeant(referenceData.models.get(id)!.name)

/** Spellings of a name in shops and stock lists. */
const MANNERS: readonly (readonly [string, (brand: string, name: string) => string])[] = [
  ['with its maker', (brand, name) => `${brand} ${name}`],
  ['with its maker last', (brand, name) => `${name} ${brand}`],
  ['in capitals', (brand, name) => `${brand} ${name}`.toUpperCase()],
  ['with underscores', (brand, name) => `${brand} ${name}`.replace(/[^A-Za-z0-9.+]+/g, '_')],
  ['with its equipment', (brand, name) => `${brand} ${name} 16GB RAM, schwarz, QWERTZ, generalüberholt`],
]
/** Names with only a size and common words, which only the bare name means. */
const isGeneral = (name: string): boolean =>
  /^(?:\d\d(?:s|-inch)? |\d\d-inch )(?:4G LTE )?(?:Laptop|Tablet) PC|^Tablet \d+$/.test(name)
/** The maker gave the name to several models, so that a year or a processor has to tell which. */
const isReused = (id: string): boolean => impliedTraits(id, referenceData.matching.modelFacts).isNumberReused === true
const isNamed = ({ id, name }: DeviceModel): boolean => !isGeneral(name) && !isReused(id)

/** Of what is tried on each model, the one of every few, another one for the next model; all of it with TEST_LONG=1. */
const isDrawn = (model: number, tried: number, every: number): boolean => (model + tried) % rounds(every, 1) === 0

for (const [at, [manner, written]] of MANNERS.entries()) {
  test(`every model is found by its name ${manner}`, () => {
    const lost = models
      .filter((model, of) => isDrawn(of, at, MANNERS.length) && isNamed(model))
      .map((model) => ({ model, text: written(model.brand, model.name) }))
      .filter(({ model, text }) => modelMeant(matchName(text).model) !== namesMeant(model.name))
    assert.deepEqual(
      lost.map(({ text }) => `${text}: ${matchName(text).model}`),
      [],
    )
  })
}

test('every model is found by its own id as a product id', () => {
  const drawn = models.filter((one, at) => isDrawn(at, 0, 3) && isNamed(one))
  const lost = drawn.filter((one) => modelMeant(matchId(one.id).model) !== namesMeant(one.name))
  assert.deepEqual(
    lost.map(({ id }) => id),
    [],
  )
})

test('no other number, generation, chip or letter of a code is ever matched unless the matched model bears it', () => {
  const wrong: string[] = []
  let count = 0
  for (const [of, model] of models.entries()) {
    for (const [at, { text, changed }] of nearMissesOf(model).entries()) {
      if (!isDrawn(of, at, 4)) continue
      count += 1
      const { model: found } = matchName(`${model.brand} ${text}`)
      if (found !== null && !telling(namesOf(referenceData.models.get(found)!), changed))
        wrong.push(`${text}: ${found}`)
    }
  }
  assert.ok(count > 9_000 / rounds(4, 1), String(count))
  assert.deepEqual(wrong, [])
})

const LINES = [
  'Pro',
  'Max',
  'Plus',
  'Ultra',
  'SE',
  'mini',
  'Lite',
  'FE',
  'Air',
  'Rugged',
  'Nano',
  'Fold',
  'x360',
  'Gen 7',
]

test('a line or a generation more makes it another model', () => {
  const wrong: string[] = []
  for (const [of, model] of models.filter(({ name }) => !name.includes(' / ')).entries()) {
    for (const line of LINES.filter((_, at) => isDrawn(of, at, 5))) {
      const { model: found } = matchName(`${model.brand} ${model.name} ${line}`)
      if (found !== null && !telling(namesOf(referenceData.models.get(found)!), line))
        wrong.push(`${model.name} ${line}: ${found}`)
    }
  }
  assert.deepEqual(wrong, [])
})

test('a line less makes it another model', () => {
  const wrong: string[] = []
  for (const { brand, name } of models.filter(({ brand }) => /Apple|Samsung|Google|Huawei/.test(brand))) {
    for (const line of name.match(/\b(?:Pro|Max|Plus|Ultra|SE|mini|XL|Air|lite|Note20|Tab)\b/g) ?? []) {
      const without = name.replace(line, ' ').replace(/\(SM-.*\)/, '')
      const { model: found } = matchName(`${brand} ${without}`)
      if (
        found !== null &&
        new RegExp(`\\b${line}\\b`).test(referenceData.models.get(found)!.name.replace(/M\d (?:Pro|Max)/, ''))
      ) {
        wrong.push(`${without}: ${found}`)
      }
    }
  }
  assert.deepEqual(wrong, [])
})

test('a thing for a device is never the device', () => {
  const things = [
    (name: string) => `Hülle für ${name}`,
    (name: string) => `${name} Case`,
    (name: string) => `Docking Station for ${name}`,
    (name: string) => `${name} Displayschutzfolie`,
  ]
  const wrong = models.flatMap(({ brand, name }, of) =>
    things
      .filter((_, at) => isDrawn(of, at, things.length))
      .map((thing) => thing(`${brand} ${name}`))
      .filter((text) => matchName(text).model !== null),
  )
  assert.deepEqual(wrong, [])
})

test('accessories that come with a device do not hide it', () => {
  assert.equal(matchName('iPhone 13 256GB mit Hülle').model, 'apple-iphone-13-256gb')
  assert.equal(matchName('Microsoft Surface Pro 7 mit Type Cover').model, 'microsoft-surface-pro-7')
  assert.equal(matchName('HP EliteBook 830 G8 i5-1135G7 Tastatur deutsch').model, 'hp-elitebook-830-g8')
})

test('a maker or a type of device that the order names may not contradict', () => {
  assert.equal(matchName('Latitude 5430', 'Dell', 'laptop').model, 'dell-latitude-5430')
  assert.equal(matchName('Latitude 5430', 'Lenovo', 'laptop').model, null)
  assert.equal(matchName('Latitude 5430', 'Dell', 'monitor').model, null)
})

test('an unpublished storage gets the nearest published variant, and the answer says so', () => {
  assert.deepEqual(pick(matchName('Apple iPhone XS 256GB')), ['apple-iphone-xs-64gb', true])
  assert.deepEqual(pick(matchName('iPhone 15 Pro 512GB')), ['apple-iphone-15-pro-512gb', false])
  assert.deepEqual(pick(matchName('iPhone 15 Pro')), ['apple-iphone-15-pro-128gb', true])
})

const pick = ({ model, isVariant }: Match) => [model, isVariant]

test('a text that leaves open which of several models it means is not matched', () => {
  const open = [
    'MacBook Air M2',
    'MacBook Air 13',
    'MacBook Pro 13 2020',
    'iPad Air',
    'iPhone SE',
    'Dell XPS 13',
    'Surface',
  ]
  assert.deepEqual(
    open.filter((text) => matchName(text).model !== null),
    [],
  )
})

test('product ids that read like a name are matched, opaque ones are not', () => {
  assert.equal(matchId('apple-macbook-air-13-m3-8gb-256gb-midnight').model, 'apple-macbook-air-13-m3-256gb')
  assert.equal(matchId('GRV_IPH15PRO_512_BLK').model, 'apple-iphone-15-pro-512gb')
  assert.equal(matchId('MWM02ZD/A').model, 'apple-iphone-11-128gb')
  for (const id of ['P-000123', '4260123456789', 'GRV-000845-A', '8f14e45f-ceea-467f-9b2e-6c1d3b1a0c77']) {
    assert.equal(matchId(id).model, null)
  }
})

test('a name and a product id that name different models decide nothing', () => {
  const product = { productName: 'Apple iPhone 13 256GB', brand: null, deviceType: null }
  assert.equal(matcher.match({ ...product, productId: 'iphone-13-256' }).model, 'apple-iphone-13-256gb')
  assert.equal(matcher.match({ ...product, productId: 'iphone-14-256' }).model, null)
})

test('numbers that only describe the equipment do not hide a model', () => {
  const texts = [
    'i5-1145G7 (11th Gen) 16GB/512GB',
    'USB 3.2 Gen 1, 599 €',
    '1920x1080 DDR4 3200 64bit',
    '24 Monate Garantie',
  ]
  for (const text of texts) assert.equal(matchName(`Dell Latitude 5420 14" ${text}`).model, 'dell-latitude-5420')
})

test('any text gets an answer: at most five candidates, scores from 0 to 1, the match first and with reasons', () => {
  const word = fc.constantFrom(
    'iPhone',
    '13',
    'Pro',
    'Latitude',
    '5430',
    '"',
    'Gen',
    'U2722DE',
    '14"',
    '256GB',
    'M1',
    '/',
    'für',
  )
  const text = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 300 }),
    fc.array(word).map((all) => all.join(' ')),
  )
  fc.assert(
    fc.property(text, fc.option(text), (productName, productId) => {
      const { model, candidates } = matcher.match({ productName, brand: null, deviceType: null, productId })
      assert.ok(candidates.length <= 5)
      for (const { score, reasons } of candidates) assert.ok(score >= 0 && score <= 1 && reasons.length > 0)
      if (model !== null) assert.equal(candidates[0]?.id, model)
    }),
  )
})

test('a search takes every word as a beginning or a slip, and puts what the matcher takes first', () => {
  const ids = (query: string) => matcher.search(query, 3).map(({ id }) => id)
  assert.equal(ids('lattitude 5420')[0], 'dell-latitude-5420')
  assert.equal(ids('iphone 15 pro')[0], 'apple-iphone-15-pro-128gb')
  assert.ok(matcher.search('lat 54', 50).every(({ id }) => /latitude.*54/.test(id)))
  assert.deepEqual(ids('latitude zzz'), [])
})
