// What carriers and forwarders call things is suggested as the transport that it means, or as none, and never taken.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { leastTime } from '../../../test/least-time.ts'
import { shippedReferenceData } from '../../../test/shipped-book.ts'
import { unknownTransport } from '../validate-order.ts'
import { carrierServicesOf, serviceNamedIn } from './carrier-services.ts'
import type { ReferenceData } from './reference-data.ts'

const { referenceData, files } = shippedReferenceData()
const problemOf = (text: string, data: ReferenceData = referenceData) => unknownTransport(text, '/id', data)
const suggestionsFor = (text: string, data?: ReferenceData) => problemOf(text, data).suggestions ?? []

const PARCEL = ['road-parcel-truck-articulated-40t-fr', 'road-parcel-van-fr']
const EXPRESS = ['air-short-haul', 'air-long-haul', 'road-parcel-truck-articulated-40t-fr']
const NATIONAL = [...PARCEL, 'air-short-haul']
const ALONE = NATIONAL
const AIR = ['air-short-haul', 'air-long-haul']
const COURIER = ['road-courier-van-fr', 'road-van-average']
const GROUPAGE = ['road-truck-average', 'road-truck-articulated-40t-long-distance-fr']
const RAIL = ['rail-freight', 'rail-freight-electric-fr']

function assertSuggested(texts: readonly string[], ids: readonly string[]) {
  for (const text of texts) {
    assert.equal(problemOf(text).code, 'unknown_transportation', text)
    assert.deepEqual(suggestionsFor(text), ids, text)
  }
}

test('a parcel is driven between depots by truck, and to the door by van', () => {
  assertSuggested(['DHL Paket', 'UPS Standard', 'GLS', 'Hermes', 'DPD Classic', 'Colissimo'], PARCEL)
  assertSuggested(['dhl_paket', 'DHLPaket', 'DHL-Paket 2 kg', 'DHL Päckchen', 'Deutsche Post Warenpost'], PARCEL)
  assertSuggested(['GLS BusinessParcel', 'Mondial Relay', 'bpost', 'PostNL pakket', 'Österreichische Post'], PARCEL)
  assertSuggested(['Colissimo point retrait', 'InPost', 'Royal Mail Tracked 24', 'Correos', 'TNT Economy'], PARCEL)
})

test('names that shops use, and that the table lacks as such, are read by a part of them', () => {
  assertSuggested(['Hermes Standard', 'DPD Standard', 'DPD CLASSIC Europe', 'Relais Colis Shop2Shop'], PARCEL)
  assertSuggested(['GLS Avant 13H', 'PPL CZ', 'DHL Parcel UK', 'UPS Access Point Economy EU'], PARCEL)
  assertSuggested(['Evri Next Day', 'PostNL Standaard', 'InPost Kurier', 'Correos Paq 48'], PARCEL)
  assertSuggested(['chronopost retrait bureau', 'Chronopost 18'], NATIONAL)
  assertSuggested(['Chronopost express international', 'DPD Classic Intercontinental'], EXPRESS)
  assertSuggested(['DHL Express / FedEx / EMS', 'FedEx International Economy®'], EXPRESS)
  assertSuggested(['DHL Freight Euroconnect', 'Lkw-Komplettladung'], GROUPAGE)
  assertSuggested(['DHL DE', 'FedEx 2Day'], ALONE)
})

test('express to another country is mostly flown, within a country mostly driven', () => {
  assertSuggested(['DHL Express', 'UPS Express Saver', 'FedEx International Priority'], EXPRESS)
  assertSuggested(['DHL Express Worldwide 12:00', 'UPS Worldwide Express®', 'TNT Express', 'EMS'], EXPRESS)
  assertSuggested(['Chronopost', 'Chrono 13', 'GLS Express', 'DPD 8:30'], NATIONAL)
  assertSuggested(['DHL', 'UPS', 'FedEx'], ALONE)
})

test('words for vehicles are read in several languages, also inside a text', () => {
  assertSuggested(['LKW'], ['road-truck-average'])
  assertSuggested(['per LKW', 'camion', 'poids lourd', 'vrachtwagen', 'ciężarówka'], ['road-truck-average'])
  assertSuggested(['camionnette', 'furgoneta', 'bestelbus'], ['road-van-average'])
  assertSuggested(['Luftfracht', 'avion', 'fret aérien', 'Luftfracht Frankfurt-Wien', 'luchtvracht'], AIR)
  assertSuggested(['Seefracht', 'LCL', 'fret maritime', 'Maersk'], ['sea-container-average'])
  assertSuggested(['fret ferroviaire', 'pociąg', 'DB Cargo'], RAIL)
  assert.equal(suggestionsFor('Bahn')[0], 'rail-freight')
  assertSuggested(['by truck', 'Trucking', 'haulage'], ['road-truck-average'])
  assertSuggested(['road freight', 'By Road'], ['road-truck-average', 'road-van-average'])
  assertSuggested(['Air Cargo', 'by plane'], AIR)
  assertSuggested(['Sea-Air'], ['sea-container-average', 'air-long-haul'])
  assertSuggested(['RoRo'], ['sea-roro-ferry-average'])
  assertSuggested(['eigener Fahrer', 'own delivery'], ['road-van-average', 'road-van-diesel'])
  assertSuggested(['Direktfahrt', 'coursier', 'Stadtkurier Wien'], COURIER)
  assertSuggested(['Sammelgut', 'Dachser', 'LTL'], GROUPAGE)
})

test('who fetches a device has no transport, and the error says what to state', () => {
  for (const text of ['pickup', 'self collection', 'Selbstabholung', 'Abholung durch Kunden', 'Click & Collect']) {
    assert.equal(problemOf(text).code, 'no_transportation', text)
    assert.deepEqual(suggestionsFor(text), [], text)
  }
  for (const text of ['retrait en magasin', 'persönliche Übergabe', 'remise en main propre', 'ritiro', 'EXW Berlin']) {
    assert.equal(problemOf(text).code, 'no_transportation', text)
    assert.deepEqual(suggestionsFor(text), [], text)
  }
  assert.match(problemOf('pickup').message, /state none if the customer fetches the devices/)
  assertSuggested(['DHL Pickup Point', 'Relais Pickup'], PARCEL)
})

test('a speed, a price or a thing is no transport: nothing is suggested', () => {
  for (const text of ['Standard', 'Express', 'Overnight', 'Versand', 'kostenlos', 'Premium', '24h', 'Lager 3']) {
    assert.equal(problemOf(text).code, 'unknown_transportation', text)
    assert.deepEqual(suggestionsFor(text), [], text)
  }
  for (const text of ['Kutsche', 'Drohne', 'Fahrrad', 'Binnenschiff', 'Rohrpost', '?', '-', 'x', '']) {
    assert.deepEqual(suggestionsFor(text), [], text)
  }
})

test('an id with a typing error is still found by its spelling, whatever carriers call things', () => {
  const hasService = (text: string) => serviceNamedIn(text, referenceData.matching.carriers) !== null
  assert.deepEqual([...referenceData.transports.keys()].filter(hasService), [])
  assert.equal(suggestionsFor('road-van-deisel')[0], 'road-van-diesel')
  assert.equal(suggestionsFor('road-parcel-vann-fr')[0], 'road-parcel-van-fr')
})

test('what an account calls its own transport is suggested before what the name usually means', () => {
  const own = { ...referenceData.transports.get('road-van-diesel')!, id: 'dhl-germany-2026', name: 'DHL Paket' }
  const data = { ...referenceData, transports: new Map(referenceData.transports).set(own.id, own) }
  assert.deepEqual(suggestionsFor('DHL Paket', data), ['dhl-germany-2026'])
  assert.deepEqual(suggestionsFor('DHL Paket', { ...data, transports: new Map([[own.id, own]]) }), ['dhl-germany-2026'])
  assert.deepEqual(suggestionsFor('Colissimo', { ...data, transports: new Map([[own.id, own]]) }), [])
})

test('the longest name in a text counts, blanks and hyphens between its words do not', () => {
  const services = carrierServicesOf([
    { words: 'acme', id: 'road-van' },
    { words: 'acme air', id: 'air-freight' },
    { words: 'pickup', id: '' },
  ])
  const named = (text: string) => serviceNamedIn(text, services)
  assert.deepEqual(named('Acme'), ['road-van'])
  for (const text of ['ACME Air', 'acme-air', 'AcmeAir', 'by Acme/Air, 3 kg']) {
    assert.deepEqual(named(text), ['air-freight'], text)
  }
  assert.deepEqual(named('pickup by Acme'), [])
  for (const text of ['acmes', '', 'air']) assert.equal(named(text), null, text)
})

test('no name in the file has more words than are compared', () => {
  const names = files.get('matching/carriers.csv')!.split('\n').slice(1, -1)
  for (const row of names) {
    const words = row.slice(0, row.indexOf(','))
    assert.notEqual(serviceNamedIn(words, referenceData.matching.carriers), null, words)
    assert.ok(words.split(' ').length <= 5, words)
  }
})

test('what the table suggests is never taken: every text in it stays an error', () => {
  const ids = new Set(referenceData.transports.keys())
  for (const name of referenceData.matching.carriers.keys()) assert.equal(ids.has(name), false, name)
})

test('a hostile text of any length costs no more than a short one', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const found = serviceNamedIn(text, referenceData.matching.carriers)
      return found === null || found.length <= 3
    }),
  )
  const [long, short] = [500_000, 30].map((count) => {
    const text = 'a '.repeat(count)
    return leastTime(() => serviceNamedIn(text, referenceData.matching.carriers))
  })
  assert.ok(long! < 10 * short!, `${long} and ${short} ms`)
})

test('a French freight figure is what its note calculates: consumption ÷ load × the factors of its fuel', () => {
  const notes = new Map(
    readFileSync(join(import.meta.dirname, '../../../data/transports.csv'), 'utf8')
      .split('\n')
      .flatMap((row) => {
        const found = /^([a-z0-9-]+-fr),.*?,([\d.]+) (?:l|kWh)\/km ÷ ([\d.]+) t × \(([\d.]+) \+ ([\d.]+)\)/.exec(row)
        return found ? [[found[1]!, found.slice(2).map(Number)] as const] : []
      }),
  )
  const french = [...referenceData.transports.values()].filter(({ region }) => region === 'FR')
  assert.equal(french.length, 12)
  const rounded = (value: number) => Number(value.toFixed(6))
  const valueOf = ({ numerator, denominator }: { numerator: bigint; denominator: bigint }) =>
    Number(numerator) / Number(denominator)
  for (const { id, factorTankToWheel, factor, energyCarrier } of french) {
    const [consumption, load, ttw, wtt] = notes.get(id)!
    const parts = [ttw!, wtt!].map((one) => rounded((consumption! / load!) * one))
    assert.equal(rounded(valueOf(factorTankToWheel)), parts[0], id)
    assert.equal(rounded(valueOf(factor)), rounded(parts[0]! + parts[1]!), id)
    assert.deepEqual([energyCarrier!.tankToWheel, energyCarrier!.wellToTank].map(valueOf), [ttw, wtt], id)
  }
})
