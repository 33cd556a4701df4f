// The English texts of a statement's PDF. Every other language has the same members.

export const ENGLISH = {
  title: (customer: string, year: number) => `Emissions statement ${year} for ${customer}`,
  header: (customer: string, year: number, issuer: string) => `Emissions statement ${year} · ${customer} · ${issuer}`,
  footer: (hash: string) => `SHA-256 ${hash}`,
  page: (number: number, of: number) => `Page ${number} of ${of}`,

  documentKind: 'Emissions statement',
  heading: (year: number) => `Emissions of rented devices in ${year}`,
  customer: 'Customer',
  issuer: 'Rental company',
  madeAt: 'Made',
  knownAt: 'Contains postings until',
  preliminary: (year: number) =>
    `Preliminary: the books for ${year} are not fully closed. A later statement may differ.`,
  interval: (low: string, high: string) => `between ${low} and ${high}, with 95 % confidence`,
  intervalLabel: 'true value in 95 of 100 cases',
  intervalChart: (total: string, low: string, high: string) =>
    `A bar from zero: ${total}; above it the interval from ${low} to ${high}, which holds the true value in 95 ` +
    'of 100 cases.',
  meaning: (year: number) =>
    `This is what the rented devices add to the customer’s greenhouse gas inventory for ${year}: the year’s ` +
    'share of what they embody (making, delivery, disposal), the electricity they use, transport and packaging. It ' +
    'is an estimate: in 95 of 100 cases the true value lies between the two figures above; a difference that is ' +
    'smaller than this interval proves nothing.',
  keyFigures: 'Key figures',
  figure: 'Figure',
  value: 'Value',
  total: (year: number) => `Emissions of ${year}, kg CO₂e`,
  totalCertain: 'of this, without indicative figures, kg CO₂e',
  corrections: 'of this, corrections of what was posted earlier, kg CO₂e',
  opening: (year: number) => `Opening balance: all years before ${year}, kg CO₂e`,
  closing: (year: number) => `Closing balance: all years until the end of ${year}, kg CO₂e`,
  later: (year: number) => `Of these orders, for the years after ${year}, kg CO₂e`,
  orders: 'Orders',
  devices: 'Devices',
  heldAtOpening: (year: number) => `Devices rented when ${year} began`,
  heldAtClosing: (year: number) => `Devices rented when ${year} ended`,
  primaryShare: 'Share of primary data',
  rating: 'Data quality, from 1 (best) to 5',
  view: 'Point of view',
  approaches: { operational: 'operational control', financial: 'financial control' },
  viewValue: (approach: string) => `customer (lessee), ${approach}, operating lease`,

  byCategory: 'By scope and category',
  byCategoryText:
    'Scopes and categories are those of the GHG Protocol, as the customer reports them. The rental company ' +
    'reports the same devices under other labels; the two must never be added.',
  scope: (scope: string) => `Scope ${scope}`,
  category: (category: string) => category,
  scopeColumn: 'Scope',
  categoryColumn: 'Category',
  part: 'Part',
  parts: {
    product_embodied_emission: 'Embodied',
    product_use: 'Use',
    packaging: 'Packaging',
    transportation: 'Transport',
  },
  kilograms: 'kg\u00a0CO₂e',
  share: 'Share',
  all: 'Total',
  byCategoryChart: (unit: string) => `Horizontal bars: emissions by scope and category in ${unit}.`,

  whyThere: 'Why each part stands there',

  byMonth: 'By month',
  byMonthText:
    'Embodied emissions and use are spread over the months of each rental; transport and packaging count in the ' +
    'month of dispatch. What was recorded later counts in the months that it concerns; what it changes in months ' +
    'whose books were closed by then counts on the first open day.',
  month: 'Month',
  byMonthChart: (unit: string) => `Stacked bars: emissions by month in ${unit}, stacked by part.`,

  earlierYears: 'Corrections of earlier years',
  earlierYearsText: (year: number) =>
    `What was recorded of earlier years after their books had been closed. Those years stay as they were reported; ` +
    `the difference counts in ${year}, and is part of its total.`,
  year: 'Year',
  recordedAt: 'Recorded',
  cause: 'Cause',
  causeEvent: (eventId: string) => `Event ${eventId}`,
  causeOrder: (orderId: string) => `Order ${orderId}`,
  causeElsewhere: 'A device went to or came from somebody else',
  allOfYear: (year: number) => `All ${year}`,

  byModel: 'By model',
  byModelText: (shown: number, all: number) =>
    shown < all
      ? `The ${shown} models with the highest emissions, of ${all}.`
      : 'All models, the highest emissions first.',
  model: 'Model',
  otherModels: (count: number) => (count === 1 ? '1 other model' : `${count} other models`),
  withoutDevices: 'Orders without devices',
  byModelChart: (unit: string) => `Horizontal bars: emissions by model in ${unit}.`,
  standIn: (basis: string) => `fallback: ${basis}`,

  byQuality: 'By data quality',
  byQualityText:
    'How much of the year rests on which data. Percentages are shares of the emissions of the year; where ' +
    'corrections took something back, a share can be negative.',
  byType: 'By type of estimate',
  byLevel: 'By how the figure was found',
  byRating: 'By rating of the data',
  kind: 'Kind',
  shareAxis: 'share of the year’s emissions in %',
  qualityChart: 'Horizontal bars: shares in percent.',
  types: {
    estimated: 'Estimated: from figures of the thing itself',
    indicative: 'Indicative: from a fallback or a scenario',
  } as Readonly<Record<string, string>>,
  levels: {
    model: 'The model’s own data sheet',
    factor: 'A published factor for this very thing',
    family: 'Mean of the model’s family',
    'brand-fit': 'Fit by brand, type, weight and screen',
    brand: 'Mean of brand and type',
    'type-fit': 'Fit by type, weight and screen',
    type: 'Mean of the type',
    'weight-fit': 'Fit by weight alone',
    weight: 'Factor for weight alone',
    'similar-factor': 'A published factor for something similar',
  } as Readonly<Record<string, string>>,
  ratings: {
    '1': '1 to below 2 (best)',
    '2': '2 to below 3',
    '3': '3 to below 4',
    '4': '4 to below 5',
    '5': '5 (worst)',
  } as Readonly<Record<string, string>>,

  deviceList: 'Devices',
  deviceListText: (year: number) =>
    `Every device with its balance before ${year}, what ${year} added, and its balance at the end, in kg CO₂e. ` +
    'Opening and year add up to closing.',
  serialNumber: 'Serial number',
  openingColumn: 'Opening',
  closingColumn: 'Closing',

  sources: 'Factors, releases and sources',
  releases: 'Releases of the data set',
  release: 'Release',
  contentHash: 'SHA-256 of its content',
  factors: 'Factors',
  factorNumber: 'No.',
  factor: 'Factor',
  factorValue: 'Value',
  factorUnit: 'Unit',
  source: 'Source',
  sourceList: 'Sources',
  licence: 'Licence',

  method: 'Method',
  methodVersion: (method: string, version: string) =>
    `Computed by version ${method} of the method (METHODOLOGY.md of Cradle), by Cradle ${version}.`,
  basis: 'What the year contains',
  exclusions: 'What is not counted',
  notes: 'What else to know',
  asSigned: '',
  /** A sentence of the statement in this language; undefined if there is no translation. */
  translated: (signed: string): string | undefined => signed,

  verification: 'How to verify this statement',
  verificationText:
    'This document shows the statement; what is signed is its JSON. Whoever has that file can check it offline, ' +
    'without the rental company: the hash over its content, the signature, and every figure, which is computed ' +
    'again from what the file itself holds.',
  command: 'cradle verify-statement statement.json --key FINGERPRINT',
  verificationStep:
    'For FINGERPRINT put what the rental company told of its key by another way than this document came. It and ' +
    'the hash of the file must be these:',
  checksum: 'SHA-256 of the content',
  key: 'Fingerprint of the Ed25519 key that signed it',
  replaced:
    'The sign □ stands for a character that the fonts of this document lack. A text that ends with … was cut. ' +
    'The JSON has every text in full.',
}

export type Messages = typeof ENGLISH
