// The German texts of a statement's PDF.
import type { Messages } from './messages-en.ts'
import { SENTENCES } from './sentences-de.ts'

const CATEGORIES: Readonly<Record<string, string>> = {
  Electricity: 'Strom',
  'Category 1: Purchased goods and services': 'Kategorie 1: Eingekaufte Waren und Dienstleistungen',
  'Category 2: Capital goods': 'Kategorie 2: Kapitalgüter',
  'Category 4: Upstream transportation and distribution': 'Kategorie 4: Vorgelagerter Transport und Verteilung',
  'Category 8: Upstream leased assets': 'Kategorie 8: Angemietete oder geleaste Sachanlagen',
  'Category 13: Downstream leased assets': 'Kategorie 13: Vermietete oder verleaste Sachanlagen',
}

export const GERMAN: Messages = {
  title: (customer, year) => `Emissionsnachweis ${year} für ${customer}`,
  header: (customer, year, issuer) => `Emissionsnachweis ${year} · ${customer} · ${issuer}`,
  footer: (hash) => `SHA-256 ${hash}`,
  page: (number, of) => `Seite ${number} von ${of}`,

  documentKind: 'Emissionsnachweis',
  heading: (year) => `Emissionen gemieteter Geräte ${year}`,
  customer: 'Kunde',
  issuer: 'Vermieter',
  madeAt: 'Erstellt',
  knownAt: 'Buchungsstand',
  preliminary: (year) =>
    `Vorläufig: Das Jahr ${year} ist noch nicht ganz abgeschlossen. Ein späterer Nachweis kann abweichen.`,
  interval: (low, high) => `zwischen ${low} und ${high}, mit 95 % Sicherheit`,
  intervalLabel: 'wahrer Wert in 95 von 100 Fällen',
  intervalChart: (total, low, high) =>
    `Ein Balken von null an: ${total}; darüber die Spanne von ${low} bis ${high}, in der der wahre Wert in 95 ` +
    'von 100 Fällen liegt.',
  meaning: (year) =>
    `So viel tragen die gemieteten Geräte zur Treibhausgasbilanz ${year} des Kunden bei: der Anteil des Jahres ` +
    'an ihren grauen Emissionen (Herstellung, Lieferung, Entsorgung), ihr Strom, Transport und Verpackung. Es ist ' +
    'eine Schätzung: In 95 von 100 Fällen liegt der wahre Wert zwischen den beiden Angaben oben; ein kleinerer ' +
    'Unterschied beweist nichts.',
  keyFigures: 'Auf einen Blick',
  figure: 'Kennzahl',
  value: 'Wert',
  total: (year) => `Emissionen ${year}, kg CO₂e`,
  totalCertain: 'davon ohne Richtwerte, kg CO₂e',
  corrections: 'davon Korrekturen früherer Buchungen, kg CO₂e',
  opening: (year) => `Anfangsbestand: alle Jahre vor ${year}, kg CO₂e`,
  closing: (year) => `Endbestand: alle Jahre bis Ende ${year}, kg CO₂e`,
  later: (year) => `Aus diesen Bestellungen für Jahre nach ${year}, kg CO₂e`,
  orders: 'Bestellungen',
  devices: 'Geräte',
  heldAtOpening: (year) => `Gemietete Geräte zu Beginn von ${year}`,
  heldAtClosing: (year) => `Gemietete Geräte am Ende von ${year}`,
  primaryShare: 'Anteil der Primärdaten',
  rating: 'Datenqualität, von 1 (am besten) bis 5',
  view: 'Sichtweise',
  approaches: { operational: 'operative Kontrolle', financial: 'finanzielle Kontrolle' },
  viewValue: (approach) => `Kunde (Mieter), ${approach}, Operating-Leasing`,

  byCategory: 'Nach Scope und Kategorie',
  byCategoryText:
    'Scopes und Kategorien des GHG Protocol, wie der Kunde sie berichtet. Der Vermieter berichtet dieselben ' +
    'Geräte unter anderen; beides darf nie zusammengezählt werden.',
  scope: (scope) => `Scope ${scope}`,
  category: (category) => CATEGORIES[category] ?? category,
  scopeColumn: 'Scope',
  categoryColumn: 'Kategorie',
  part: 'Bestandteil',
  parts: {
    product_embodied_emission: 'Graue Emissionen',
    product_use: 'Nutzung',
    packaging: 'Verpackung',
    transportation: 'Transport',
  },
  kilograms: 'kg\u00a0CO₂e',
  share: 'Anteil',
  all: 'Summe',
  byCategoryChart: (unit) => `Waagerechte Balken: Emissionen nach Scope und Kategorie in ${unit}.`,

  whyThere: 'Warum jeder Bestandteil dort steht',

  byMonth: 'Nach Monaten',
  byMonthText:
    'Graue Emissionen und Nutzung sind über die Monate jeder Miete verteilt; Transport und Verpackung zählen im ' +
    'Monat des Versands. Was später erfasst wurde, zählt in den Monaten, die es betrifft; Änderungen an bei der ' +
    'Erfassung schon abgeschlossenen Monaten zählen am ersten offenen Tag.',
  month: 'Monat',
  byMonthChart: (unit) => `Gestapelte Säulen: Emissionen nach Monaten in ${unit}, gestapelt nach Bestandteilen.`,

  earlierYears: 'Korrekturen früherer Jahre',
  earlierYearsText: (year) =>
    'Was zu früheren Jahren erfasst wurde, nachdem sie abgeschlossen waren. Diese Jahre bleiben, wie sie berichtet ' +
    `wurden; der Unterschied zählt ${year} und ist Teil der Summe.`,
  year: 'Jahr',
  recordedAt: 'Erfasst',
  cause: 'Ursache',
  causeEvent: (eventId) => `Ereignis ${eventId}`,
  causeOrder: (orderId) => `Bestellung ${orderId}`,
  causeElsewhere: 'Ein Gerät ging an jemand anderen oder kam von dort',
  allOfYear: (year) => `${year} ganz`,

  byModel: 'Nach Modellen',
  byModelText: (shown, all) =>
    shown < all
      ? `Die ${shown} Modelle mit den höchsten Emissionen, von ${all}.`
      : 'Alle Modelle, die mit den höchsten Emissionen zuerst.',
  model: 'Modell',
  otherModels: (count) => (count === 1 ? '1 weiteres Modell' : `${count} weitere Modelle`),
  withoutDevices: 'Bestellungen ohne Geräte',
  byModelChart: (unit) => `Waagerechte Balken: Emissionen nach Modellen in ${unit}.`,
  standIn: (basis) => `Ersatzwert: ${basis}`,

  byQuality: 'Nach Datenqualität',
  byQualityText:
    'Wie viel des Jahres auf welchen Daten beruht. Anteile an den Emissionen des Jahres; wo Korrekturen etwas ' +
    'zurückgenommen haben, kann ein Anteil negativ sein.',
  byType: 'Nach Art der Schätzung',
  byLevel: 'Nach Herkunft der Angabe',
  byRating: 'Nach Bewertung der Daten',
  kind: 'Art',
  shareAxis: 'Anteil an den Emissionen des Jahres in %',
  qualityChart: 'Waagerechte Balken: Anteile in Prozent.',
  types: {
    estimated: 'Geschätzt: aus Angaben zur Sache selbst',
    indicative: 'Richtwert: aus Ersatzwert oder Szenario',
  },
  levels: {
    model: 'Datenblatt des Modells',
    factor: 'Veröffentlichter Faktor für genau diese Sache',
    family: 'Mittelwert der Modellfamilie',
    'brand-fit': 'Regression nach Marke, Geräteart, Gewicht, Bildschirm',
    brand: 'Mittelwert von Marke und Geräteart',
    'type-fit': 'Regression nach Geräteart, Gewicht, Bildschirm',
    type: 'Mittelwert der Geräteart',
    'weight-fit': 'Regression nach dem Gewicht allein',
    weight: 'Faktor für das Gewicht allein',
    'similar-factor': 'Veröffentlichter Faktor für Ähnliches',
  },
  ratings: {
    '1': '1 bis unter 2 (am besten)',
    '2': '2 bis unter 3',
    '3': '3 bis unter 4',
    '4': '4 bis unter 5',
    '5': '5 (am schlechtesten)',
  },

  deviceList: 'Geräte',
  deviceListText: (year) =>
    `Jedes Gerät mit seinem Bestand vor ${year}, dem Zugang ${year} und seinem Bestand am Ende, in kg CO₂e. ` +
    'Anfang und Jahr ergeben zusammen das Ende.',
  serialNumber: 'Seriennummer',
  openingColumn: 'Anfang',
  closingColumn: 'Ende',

  sources: 'Faktoren, Datenstände und Quellen',
  releases: 'Datenstände',
  release: 'Datenstand',
  contentHash: 'SHA-256 des Inhalts',
  factors: 'Faktoren',
  factorNumber: 'Nr.',
  factor: 'Faktor',
  factorValue: 'Wert',
  factorUnit: 'Einheit',
  source: 'Quelle',
  sourceList: 'Quellen',
  licence: 'Lizenz',

  method: 'Methode',
  methodVersion: (method, version) =>
    `Berechnet nach Fassung ${method} der Methode (METHODOLOGY.md von Cradle), mit Cradle ${version}.`,
  basis: 'Was das Jahr enthält',
  exclusions: 'Was nicht gezählt ist',
  notes: 'Was sonst zu wissen ist',
  asSigned: 'Die folgenden Sätze sind übersetzt; signiert ist ihr englischer Wortlaut in der JSON-Datei.',
  translated: (signed) => SENTENCES.get(signed),

  verification: 'Wie sich dieser Nachweis prüfen lässt',
  verificationText:
    'Dieses Dokument zeigt den Nachweis; signiert ist seine JSON-Datei. Wer sie hat, kann sie ohne Netz und ' +
    'ohne den Vermieter prüfen: die Prüfsumme des Inhalts, die Signatur und jede Zahl, die aus dem, was die ' +
    'Datei selbst enthält, neu berechnet wird.',
  command: 'cradle verify-statement statement.json --key FINGERABDRUCK',
  verificationStep:
    'Als FINGERABDRUCK den einsetzen, den der Vermieter auf anderem Weg als diesem Dokument von seinem ' +
    'Schlüssel genannt hat. Er und die Prüfsumme der Datei müssen diese sein:',
  checksum: 'SHA-256 des Inhalts',
  key: 'Fingerabdruck des Ed25519-Schlüssels der Signatur',
  replaced:
    'Das Zeichen □ steht für ein Zeichen, das die Schriften dieses Dokuments nicht haben. Ein Text, der mit … endet, ' +
    'ist gekürzt. Die JSON-Datei enthält jeden Text vollständig.',
}
