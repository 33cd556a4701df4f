// Common meanings of headers in English, German, French, Spanish and Italian. They are suggested, but never applied
// automatically.
import { SUGGESTIONS_MAX } from '../engine/reference/suggestions.ts'
import { foldCase } from '../engine/reference/fold-case.ts'
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
  'serial sn serien seriennr geraete geraet device imei asset assettag inventar inventory ' +
  'equipment serials servicetag ndeserie nserie noserie numerodeserie numeroserie numserie ' +
  'numerodiserie matricola seriale imeisn tagno tagnumber barcode codebarre ' +
  'nomequipementphysique nomequipement'
const MONTHS =
  'months month monate monat laufzeit laufzeitmonate laufzeitinmonaten laufzeitmonaten mietdauer mietdauermonate ' +
  'mietlaufzeit mietmonate vertragslaufzeit leasinglaufzeit dauer duration term terms termmonths rentalterm ' +
  'rentalmonths rentalduration rentalperiod contractterm contractduration leaseterm tenure period ' +
  'numberofmonths duree dureelocation dureedelocation dureemois dureeenmois mois duracion ' +
  'duracionmeses meses plazo durata duratamesi mesi duratanoleggio'
const START =
  'start beginn startdate startdatum begindate beginndatum rentalstart rentalstartdate rentalbegin mietbeginn ' +
  'mietstart mietvon mietbeginndatum vertragsbeginn contractstart contractstartdate leasestart leasingbeginn ' +
  'laufzeitbeginn lieferdatum liefertermin deliverydate deliveredon dispatchdate shipdate shippingdate versanddatum ' +
  'ab von from validfrom tenurestart debut datedebut datededebut debutlocation debutdelocation ' +
  'inicio fechainicio fechadeinicio inizio datainizio datadiinizio inizionoleggio'
const MODEL =
  'productname produktname artikelname artikelbezeichnung bezeichnung produktbezeichnung modell ' +
  'model modele modelo modello ' +
  'assetmodel devicemodel lineitemname nomarticle nomproduit nomduproduit designation libelle nombreproducto ' +
  'nombredelproducto producto nomeprodotto descrizione descripcion displayname modeldisplayname machinemodel '

/** A word with two possible meanings is suggested for both, in this order. */
const ALL: readonly Words[] = [
  words(
    'order',
    'customer_id',
    'customer kunde kunden kd client mandant debitor debitoren company firma account buyer billingname customername ' +
      'kundenname nomclient nomduclient cliente locataire societe entreprise empresa azienda ' +
      'numeroclient numerocliente',
  ),
  words(
    'order',
    'order_id',
    'order orders auftrag auftrags bestell bestellung bestellungs purchaseorder po salesorder rentalorder vorgang ' +
      'vorgangs vertrag vertrags mietvertrag mietvertrags contract rental booking buchung buchungs beleg ' +
      'commande numerodecommande numerocommande ndecommande contrat numerodecontrat pedido numerodepedido contrato ' +
      'ordine numeroordine numerodiordine contratto',
  ),
  words(
    'order',
    'order_date',
    'date datum orderdate ordered orderedon orderedat auftragsdatum bestelldatum bestellungsdatum bestelltam ' +
      'purchasedate created createdat createdon erstellt erstelltam belegdatum buchungsdatum ' +
      'bookingdate vertragsdatum ' +
      'datecommande datedecommande datedelacommande fechapedido fechadepedido fechadelpedido ' +
      'dataordine dataordini fecha',
  ),
  words('order', 'tenure_start_date', START),
  words('product', 'tenure_months', MONTHS),
  words('product', 'serial_number', SERIAL),
  words(
    'product',
    'product_id',
    'product produkt produkts artikel item article sku ean gtin material part mpn lineitemsku codearticle ' +
      'referencearticle referenceproduit codigoproducto codigoarticulo codicearticolo codiceprodotto',
  ),
  words('product', 'product_name', `${MODEL}itemname articlename itemdescription description beschreibung modelname`),
  words('product', 'model_id', 'model modell'),
  words(
    'product',
    'brand',
    'brand marke hersteller herstellername manufacturer make vendor maker marque fabricant constructeur marca ' +
      'fabricante produttore costruttore assetmake',
  ),
  words(
    'product',
    'device_type',
    'devicetype geraetetyp geraeteart geraetekategorie kategorie category producttype produkttyp produktart ' +
      'productcategory produktkategorie produktgruppe warengruppe typ art itemtype ' +
      'typedappareil typeappareil categorie tipodispositivo tipodedispositivo categoria tipologia assettype ' +
      'formfactor modelformfactor modeluformfactor modelcategory chassistype typedemateriel typemateriel',
  ),
  words('type', 'type', 'typ art itemtype positionstyp positionsart zeilentyp linetype rowtype recordtype satzart'),
  words(
    'order',
    'country',
    'land country laendercode laenderkuerzel landescode lieferland countrycode shiptocountry destinationcountry ' +
      'deliverycountry destination zielland empfangsland countryiso isoland ' +
      'pays paysdutilisation paysdelivraison paese nazione shippingcountry',
  ),
  words('product', 'country', 'itemcountry geraeteland devicecountry'),
  words(
    'product',
    'weight_kg',
    'weight gewicht masse mass netweight nettogewicht geraetegewicht productweight produktgewicht ' +
      'deviceweight poids poidsnet peso pesonetto pesoneto',
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
      'kilometer kilometers kilometres lieferstrecke distancia distanza',
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
      'retoure retourdatum ruecknahme ruecknahmedatum ruecklauf ruecklaufdatum eingangsdatum checkin checkindate ' +
      'datederetour dateretour retour fechadevolucion fechadedevolucion devolucion datarestituzione restituzione',
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
      'leasingende bis until to validto laufzeitende ' +
      'retirementdate fin datefin datedefin finlocation findelocation fechafin fechadefin fine ' +
      'datafine finenoleggio dateretrait',
  ),
  words(
    'none',
    'quantity' satisfies Lacking,
    'quantity qty menge anzahl stueck stueckzahl pieces pcs count units ' +
      'lineitemquantity quantityordered orderedquantity bestellmenge quantite qte cantidad quantita nombre',
  ),
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

const UNITS = /(?:\b|_)(?:in )?(?:kg|kilogramm?s?|km|iso|alpha ?2|months?|monaten?|mois|meses|mesi)(?:\b|_)/g
/** Units other than those of orders, at the end of a header: `Weight (g)`, `Gewicht in Gramm`, `distance_m`. */
const OTHER_UNITS: readonly (readonly [unit: string, words: RegExp])[] = [
  ['g', unitEnding('g|gr|grams?|gramm|grammes?|gramos?|grammi')],
  ['lb', unitEnding('lbs?|pounds?|pfund|livres?|libras?|libbre')],
  ['oz', unitEnding('oz|ounces?|unzen?|onces?|onzas?|once')],
  ['m', unitEnding('m|met(?:er|re)s?|metern|m[èe]tres?|metros?|metri')],
  ['miles', unitEnding('mi|miles?|meilen|milles|millas?|miglia')],
  ['', unitEnding('t|to(?:ns?|nnen?|nnes?)|mg|st|stone|ft|feet|yards?|yd|nm')],
  ['', unitEnding('weeks?|wochen|semaines?|semanas?|settimane')],
  [
    '',
    unitEnding(
      'days?|tagen?|tage|jours?|d[ií]as?|giorni|years?|jahren?|jahre|ans|ann[ée]es?|a[ñn]os|anni|hours?|stunden',
    ),
  ],
]
/** In brackets, or as a word of its own behind another one. */
function unitEnding(words: string): RegExp {
  return new RegExp(`(?:\\s*[([]\\s*(?:in )?(?:${words})\\.?\\s*[)\\]]|[\\s_/,-]+(?:in |en )?(?:${words}))\\s*$`, 'u')
}
/** The member whose column may have the unit. */
const UNIT_OF_MEMBER = /(?:weight_kg|distance_km)(?=_\d+$|$)/
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
  const other = OTHER_UNITS.find(([, words]) => words.test(text))
  const exact = wordsOf(layout).some(({ words }) => words.includes(` ${whole} `))
  if (other && !exact) return meaningInUnit(text.replace(other[1], ''), other[0], layout)
  const names = [whole, foldCase(name.replace(UNITS, ' ')), whole.replace(ID_ENDING, '')]
    .map((word) => (word === '' ? [] : wordsOf(layout).filter(({ words }) => words.includes(` ${word} `))))
    .find((all) => all.length > 0)
  if (!names) return null
  const columns = names.flatMap((one) => columnOf(one, header, layout, number))
  const lacks = (names.find(({ part }) => part === 'none')?.member ?? null) as Lacking | null
  return { columns: [...new Set(columns)].slice(0, SUGGESTIONS_MAX), lacks }
}

/** The meaning of a header whose unit is not that of orders; without a column if orders have none for the unit. */
function meaningInUnit(header: string, unit: string, layout: Layout): HeaderMeaning | null {
  const meaning = headerMeaning(header, layout)
  if (!meaning) return null
  const columns = meaning.columns.flatMap((column) => {
    const inUnit = column.replace(UNIT_OF_MEMBER, (name) => name.replace(/k[gm]$/, unit))
    return unit !== '' && inUnit !== column && memberPath(inUnit, layout) !== null ? [inUnit] : []
  })
  return { columns, lacks: meaning.lacks }
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
