// Messages about a match: in which traits a text and a model agree, what is left open and what contradicts.
import { defineMessages, type Message, type MessageParams } from '../message.ts'

/** A trait: a word of the text or the name, or a message that is made later, since few comparisons are explained. */
export type Trait = string | UnmadeMessage

interface UnmadeMessage {
  readonly make: (params: never) => Message
  readonly params: MessageParams
}

/** Not a closure: V8 would allocate one for each word that is compared, even if it has no trait. */
export const traitOf = <Params extends MessageParams>(make: (params: Params) => Message, params: Params): Trait => ({
  make,
  params,
})

/** Makes the message of a trait. */
export const describeTrait = (one: Trait): string | Message =>
  typeof one === 'string' ? one : one.make(one.params as never)

export const TRAIT_MESSAGES = defineMessages({
  trait_whole_name: 'the whole name',
  trait_name: 'the name itself',
  trait_generation_chip_or_year: 'generation, chip or year',
  trait_generation_or_year: 'generation or year',
  trait_processor_or_year: 'processor or year',
  trait_brand: 'brand {brand}',
  trait_part_number: 'number {number}',
  trait_part_number_of_other: 'number {number} is of another model',
  trait_word_of_other: '"{word}" is not of this model',
  trait_word_of_generation: '"{word}" may be another generation',
  trait_word_of_grade: '"{word}" may be another grade',
  trait_word_of_game: '"{word}" may be a game',
  trait_generation: 'generation {generation}',
  trait_other_generation: 'generation {generation}, not {own}',
  trait_chip: 'chip {chip}',
  trait_other_chip: 'chip {chip}, not {own}',
  trait_year: 'year {year}',
  trait_processor_younger: 'a processor of {year}, younger than the sheet',
  trait_processor_older: 'a processor of {year}, much older than the sheet',
  trait_processor_generation: 'a processor of generation {generation}',
  trait_processor_maker: 'not made with a processor of {maker}',
  trait_type: 'a {type}',
  trait_inches: '{inches} inches',
  trait_other_inches: '{inches} inches, not {own}',
  trait_other_feature: '{feature}, not {own}',
  trait_no_feature: 'not {feature}',
})

/** Why a model is a candidate, and what a match depends on. */
export const MATCH_MESSAGES = defineMessages({
  // Receipts have the following sentences, whose words therefore do not change.
  match_agrees: 'fits: {traits}',
  match_lacks: 'the text does not say: {traits}',
  match_open: 'left open: {traits}',
  match_contradicts: 'contradicts: {traits}',
  match_accessory: 'the text names a thing for a device ("{word}")',
  match_shared_alias: 'bears "{product_id}" as an alias, as {count} others do',
  // Only in responses of GET /api/match.
  match_product_id: 'its id is the product id',
  match_alias: 'the product id is an alias of this model only',
  match_without_weight: 'The fallback may depend on the weight: send weight_kg to get the one that an order would use.',
})
