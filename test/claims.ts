// What no text of the program may claim, in English and German; what a comparison has to name; and what is exempt.

/** The words stand for themselves, in any case: no letter comes before or after them. */
const words = (pattern: string): RegExp => new RegExp(String.raw`(?<!\p{L})(?:${pattern})(?!\p{L})`, 'iu')

export const FORBIDDEN: readonly (readonly [RegExp, because: string])[] = [
  [words(String.raw`(\p{L}+[- ]?)?neutral(ity|ität|e[rsnm]?)?`), 'nothing that emits is neutral'],
  [words('net[- ]?zero|netto[- ]?null'), 'a target of a company, which no order reaches'],
  [words('(zero|low|null)[- ](emissions?|carbon|co2)|(emission|carbon|co2)s?[- ]?free'), 'every device emits'],
  [words(String.raw`(emissions?|kohlenstoff|co2|klima)[- ]?(frei|arm)\p{L}*`), 'every device emits'],
  [words('(climate|eco|environment(ally)?|planet|earth)[- ]?(friendly|positive|safe|conscious)'), 'says nothing'],
  [words(String.raw`(klima|umwelt|ressourcen)-?(freundlich|schonend|positiv|gerecht|bewusst)\p{L}*`), 'says nothing'],
  [words(String.raw`sustainab(le|ly|ility)|nachhaltig\p{L}*`), 'says nothing'],
  [words(String.raw`green(er|est)?|grün(e|er|es|en|em)?|öko-?\p{L}*`), 'says nothing'],
  [words(String.raw`(carbon|climate)[- ](negative|positive)|climate protection|klimaschutz`), 'says nothing'],
  [words(String.raw`offset(s|ting)?|compensat\p{L}+|kompensi\p{L}+|\p{L}*kompensation`), 'nothing is subtracted here'],
]

/** A word that compares, in a text about emissions, needs a reference in the same text. */
export const COMPARISON = words(
  String.raw`less|lower|fewer|sav(es?|ed|ings?)|avoid(s|ed|ing)?|reduc\p{L}+|better|cleaner|` +
    String.raw`weniger|niedriger\p{L}*|geringer\p{L}*|spar(t|en|sam)|(ge|ein)spar\p{L}*|vermeide\p{L}*|vermied\p{L}*|` +
    String.raw`reduzier\p{L}*|besser\p{L}*|sauberer`,
)
export const ABOUT_EMISSIONS =
  /emission|co2|co₂|footprint|fußabdr|carbon|klima|climate|kilogram|(?<!\p{L})kg(?!\p{L})/iu
export const REFERENCE = words(
  String.raw`than|compared (with|to)|instead of|in place of|without this order|` +
    'als|gegenüber|verglichen mit|im vergleich|statt|anstelle|ohne diese bestellung',
)

/** Texts that may have such words: a part of each text, and why. Each must be there, so that none outlives its text. */
export const EXEMPT: readonly (readonly [part: string, because: string])[] = [
  ['Sustainability platform of customer 17', 'the name of a program of a customer, in an example'],
  ['Department for Energy Security and Net Zero', 'the name of a publisher'],
  ['Smart phones, smart choices', 'the title of a source'],
  ['time and an offset', 'of a time zone'],
  ['Lower end of', 'of an interval'],
  ['mean of total less use', 'a subtraction'],
  ['`whole_kg` less `embodied_kg`', 'a subtraction'],
  ['No text claims that anything is neutral, green or the like', 'forbids such claims'],
  ['Avoided emissions: a purchase that did not happen is never subtracted', 'says that there is no such claim'],
]

/** Claims as they are made elsewhere, each of which has to be found. */
export const CLAIMS = [
  'Climate-neutral rental',
  'Our devices are carbon neutral.',
  'CO2-neutral seit 2024',
  'Das Gerät ist klimaneutral.',
  'Klimaneutrale Miete',
  'net-zero laptops',
  'A zero-emission device',
  'carbon-free',
  'Emissionsfreie Geräte',
  'climate-friendly',
  'eco-friendly packaging',
  'environmentally friendly',
  'Klimafreundlich mieten',
  'umweltfreundliche Verpackung',
  'ressourcenschonend',
  'a sustainable choice',
  'nachhaltige IT',
  'Green IT',
  'grüne Geräte',
  'ökologische Wahl',
  'climate-positive',
  'Your emissions are offset.',
  'compensated emissions',
  'Wir kompensieren Ihre Emissionen.',
  'CO2-Kompensation',
]

/** Comparisons of emissions without a reference, and with one. */
export const COMPARED = {
  without: [
    'This saves 34 kg CO2e.',
    'Lower emissions',
    '12 kg CO2e avoided',
    'Spart 34 kg CO2e',
    'Weniger Emissionen',
    '80 % weniger CO2',
  ],
  with: [
    'This saves 34 kg CO2e compared with a new device.',
    'Lower emissions than those of the order',
    'Weniger Emissionen als die Bestellung',
    'Spart 34 kg CO2e gegenüber einem neuen Gerät',
  ],
}
