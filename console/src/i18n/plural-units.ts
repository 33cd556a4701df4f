// Units that are words are written as their number asks for: 1 month, 2 months.

/** Those of language.tsx, which the tests cannot load: it is no plain TypeScript. */
type Language = 'en' | 'de'

/** The form for one, of each unit that pages or the service name in the form for many. */
const OF_ONE: Readonly<Record<Language, Readonly<Record<string, string>>>> = {
  en: {
    months: 'month',
    orders: 'order',
    devices: 'device',
    'device rentals': 'device rental',
    inches: 'inch',
  },
  de: {
    Monate: 'Monat',
    Bestellungen: 'Bestellung',
    Geräte: 'Gerät',
    Gerätemieten: 'Gerätemiete',
  },
}

export const countedUnit = (value: number, unit: string, language: Language): string =>
  (Math.abs(value) === 1 && OF_ONE[language][unit]) || unit
