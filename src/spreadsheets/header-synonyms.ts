// Common meanings of headers in English and German. They are suggested, but never applied automatically.
import { SUGGESTIONS_MAX } from '../engine/reference/suggestions.ts'
import { foldCase } from '../engine/reference/synonyms.ts'
import { VALUE_KINDS, METADATA, columnOfPath, memberPath, type ValueKind, type Layout } from './columns.ts'

export interface HeaderMeaning {
  /** Possible columns, most likely first. */
  readonly columns: readonly string[]
  /** What orders have no member for; null if the header means something else. */
  readonly lacks: Lacking | null
}

export type Lacking = 'end date' | 'quantity'

interface Words {
  /** `label` is stored as metadata; `none` does not exist in orders; `event` exists only in files of events. */
  readonly part: ValueKind | 'order' | 'type' | 'label' | 'none' | 'event'
  /** For `none`, what orders have no member for. */
  readonly member: string
  /** In the form returned by foldCase(), without the ending matched by ID_ENDING. */
  readonly words: string
}

const words = (part: Words['part'], member: string, list: string): Words => ({ part, member, words: ` ${list} ` })

const SERIAL =
  'serial sn serien seriennr geraete geraet device imei asset assettag inventar inventory equipment serials'
const MONTHS =
  'months month monate monat laufzeit laufzeitmonate laufzeitinmonaten laufzeitmonaten mietdauer mietdauermonate ' +
  'mietlaufzeit mietmonate vertragslaufzeit leasinglaufzeit dauer duration term terms termmonths rentalterm ' +
  'rentalmonths rentalduration rentalperiod contractterm contractduration leaseterm tenure period numberofmonths'
const START =
  'start beginn startdate startdatum begindate beginndatum rentalstart rentalstartdate rentalbegin mietbeginn ' +
  'mietstart mietvon mietbeginndatum vertragsbeginn contractstart contractstartdate leasestart leasingbeginn ' +
  'laufzeitbeginn lieferdatum liefertermin deliverydate deliveredon dispatchdate shipdate shippingdate versanddatum ' +
  'ab von from validfrom tenurestart'
const MODEL = 'productname produktname artikelname artikelbezeichnung bezeichnung produktbezeichnung modell model '

/** A word with two possible meanings is suggested for both, in this order. */
const ALL: readonly Words[] = [
  words(
    'order',
    'customer_id',
    'customer kunde kunden kd client mandant debitor debitoren company firma account buyer',
  ),
  words(
    'order',
    'order_id',
    'order orders auftrag auftrags bestell bestellung bestellungs purchaseorder po salesorder rentalorder vorgang ' +
      'vorgangs vertrag vertrags mietvertrag mietvertrags contract rental booking buchung buchungs beleg',
  ),
  words(
    'order',
    'order_date',
    'date datum orderdate ordered orderedon orderedat auftragsdatum bestelldatum bestellungsdatum bestelltam ' +
      'purchasedate created createdat createdon erstellt erstelltam belegdatum buchungsdatum bookingdate vertragsdatum',
  ),
  words('order', 'tenure_start_date', START),
  words('product', 'tenure_months', MONTHS),
  words('product', 'serial_number', SERIAL),
  words('product', 'product_id', 'product produkt produkts artikel item article sku ean gtin material part mpn'),
  words('product', 'product_name', `${MODEL}itemname articlename itemdescription description beschreibung modelname`),
  words('product', 'model_id', 'model modell'),
  words('product', 'brand', 'brand marke hersteller herstellername manufacturer make vendor maker'),
  words(
    'product',
    'device_type',
    'devicetype geraetetyp geraeteart geraetekategorie kategorie category producttype produkttyp produktart ' +
      'productcategory produktkategorie produktgruppe warengruppe typ art itemtype',
  ),
  words('type', 'type', 'typ art itemtype positionstyp positionsart zeilentyp linetype rowtype recordtype satzart'),
  words(
    'order',
    'country',
    'land country laendercode laenderkuerzel landescode lieferland countrycode shiptocountry destinationcountry ' +
      'deliverycountry destination zielland empfangsland countryiso isoland',
  ),
  words('product', 'country', 'itemcountry geraeteland devicecountry'),
  words(
    'product',
    'weight_kg',
    'weight gewicht masse mass netweight nettogewicht geraetegewicht productweight produktgewicht deviceweight',
  ),
  words(
    'transportation',
    'weight_kg',
    'grossweight bruttogewicht versandgewicht shippingweight transportgewicht shipmentweight weight gewicht',
  ),
  words('packaging', 'weight_kg', 'verpackungsgewicht packagingweight kartongewicht boxweight weight gewicht'),
  words(
    'transportation',
    'distance_km',
    'distance entfernung distanz strecke transportstrecke wegstrecke transportdistance shippingdistance km ' +
      'kilometer kilometers kilometres lieferstrecke',
  ),
  words(
    'transportation',
    'transportation_id',
    'transport transportation vehicle fahrzeug fahrzeugtyp vehicletype versandart lieferart shippingmethod ' +
      'carrier spediteur',
  ),
  words(
    'transportation',
    'transportation_mode',
    'mode verkehrsmittel verkehrstraeger transportart transportmittel transportmode modeoftransport shippingmode ' +
      'versandart lieferart shippingmethod',
  ),
  words(
    'packaging',
    'packaging_id',
    'packaging verpackung verpackungs verpackungsart karton box package packagingtype',
  ),
  words(
    'product',
    'returned_on',
    'returned returnedon returnedat returndate dateofreturn returnday actualreturn actualreturndate rueckgabe ' +
      'rueckgabedatum rueckgabetag rueckgabeam datumderrueckgabe zurueck zurueckam zurueckgegeben zurueckgegebenam ' +
      'retoure retourdatum ruecknahme ruecknahmedatum ruecklauf ruecklaufdatum eingangsdatum checkin checkindate',
  ),
  words(
    'product',
    'ended_by',
    'endedby endreason reasonofend returnreason endegrund beendetdurch rueckgabegrund rueckgabeart mietendegrund',
  ),
  words(
    'label',
    '',
    'kostenstelle kostenstellen costcentre costcenter projekt project abteilung department notiz note notes ' +
      'bemerkung bemerkungen kommentar comment comments remark remarks region',
  ),
  words(
    'none',
    'end date' satisfies Lacking,
    'end ende enddate enddatum rentalend rentalenddate mietende mietbis vertragsende contractend leaseend ' +
      'leasingende bis until to validto laufzeitende',
  ),
  words('none', 'quantity' satisfies Lacking, 'quantity qty menge anzahl stueck stueckzahl pieces pcs count units'),
]

/** Words that mean something else in a file of events. */
const OF_EVENTS: readonly Words[] = [
  words('event', 'event_id', 'event ereignis ereignisid vorgang vorgangs transaction transaktion transaktions'),
  words('event', 'type', 'event ereignis typ art eventtype ereignistyp ereignisart vorgangsart transactiontype'),
  words(
    'event',
    'date',
    'date datum day tag eventdate ereignisdatum returned returnedon returndate rueckgabe rueckgabedatum rueckgabeam ' +
      'zurueckam retoure ruecknahmedatum',
  ),
  words(
    'event',
    'new_serial_number',
    'newserial newserialnumber newdevice neueseriennummer neueseriennr neuesgeraet ersatzgeraet ersatz replacement',
  ),
  words('event', 'dispatched', 'dispatched shipped versandt versendet ausgeliefert'),
  words('event', 'emission_kg', 'emission emissions emissionen co2 co2e co2kg'),
  words('event', 'lifetime_months_added', 'addedmonths monthsadded zusatzmonate verlaengerungmonate'),
]

const UNITS = /(?:\b|_)(?:in )?(?:kg|kilogramm?s?|km|iso|alpha ?2)(?:\b|_)/g
/** The endings of id names, whatever the id refers to. */
const ID_ENDING = /(?:nummer|number|nr|no|num|id|code|key|kennung|kennzeichen|ref|reference|referenz)$/
/** Longer headers have no known meaning. */
const HEADER_MAX = 60

/** Null if the meaning is unknown. */
export function headerMeaning(header: string, layout: Layout): HeaderMeaning | null {
  const text = header.slice(0, HEADER_MAX).trim().normalize('NFC').toLowerCase()
  const [, name = '', digits] = /^(.*?)[\s_.-]*(\d{1,3})?$/s.exec(text) ?? []
  const number = layout === 'orders' ? Math.max(1, Number(digits ?? 1)) : 1
  const whole = foldCase(name)
  const names = [whole, foldCase(name.replace(UNITS, ' ')), whole.replace(ID_ENDING, '')]
    .map((word) => (word === '' ? [] : wordsOf(layout).filter(({ words }) => words.includes(` ${word} `))))
    .find((all) => all.length > 0)
  if (!names) return null
  const columns = names.flatMap((one) => columnOf(one, header, layout, number))
  const lacks = (names.find(({ part }) => part === 'none')?.member ?? null) as Lacking | null
  return { columns: [...new Set(columns)].slice(0, SUGGESTIONS_MAX), lacks }
}

const isOfEvents = ({ part, member }: Words): boolean =>
  (part === 'order' || part === 'product') && memberPath(member, 'events') !== null
const WORDS_OF_EVENTS = [...OF_EVENTS, ...ALL.filter(isOfEvents)]

const wordsOf = (layout: Layout): readonly Words[] => (layout === 'events' ? WORDS_OF_EVENTS : ALL)

function columnOf({ part, member }: Words, header: string, layout: Layout, number: number): readonly string[] {
  if (part === 'none') return []
  if (part === 'event') return [member]
  if (part === 'label') return [METADATA + header.trim()]
  if (part === 'type') return ['type']
  const isOfKind = (VALUE_KINDS as readonly string[]).includes(part)
  return [columnOfPath(part, member, layout, isOfKind ? number : 1)]
}
