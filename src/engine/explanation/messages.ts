// What explains a line: its description, the notes of its calculation, and how its model was found.
import { defineMessages } from '../message.ts'

// Receipts contain all of these sentences, and are verified by making them again: their words do not change.

export const LINE_MESSAGES = defineMessages({
  line_embodied: 'Embodied emission of {name}',
  line_embodied_by_fallback: 'Embodied emission of {fallback}',
  line_use: 'Emission from use of {name}',
  line_use_by_fallback: 'Emission from use of {fallback}',
  line_transportation: 'Upstream transportation of the device',
  line_packaging: 'Packaging of the device',
})

/** How the model was found, or which fallback is used. */
export const MATCH_NOTE_MESSAGES = defineMessages({
  note_mapped_to_model: 'The account maps "{product_id}" to {model}.',
  note_mapped_to_type: 'The account maps "{product_id}" to the type {type}, without a model.',
  note_model_found: 'The model {model} was found by {member}.',
  note_model_found_by_alias: 'The model {model} was found by {member}, its alias "{alias}".',
  note_model_by_words: 'The words {words} were taken for the model {model}.',
  note_model_by_variant: [
    'The words {words} were taken for the model {model}, ',
    'the nearest variant that is published: they name another one, or leave open which.',
  ],
  words_one: '"{words}"',
  words_two: '"{product_name}" and "{product_id}"',
  note_no_model: 'No model was found: {reason}; {basis} stands in.',
  no_footprint_of_known: 'the product is a {device}, of which no footprint is published',
  no_model_by_words: 'no model bears "{product_id}", and its words fit none for certain',
  no_model_by_alias: '"{product_id}" fits {count} models ({models})',
  basis_family: 'the mean of its family {family}',
  basis_brand_fit: 'what devices of its brand and type, its weight and screen emit',
  basis_brand: 'the mean of its brand and type',
  basis_type_fit: 'what devices of its type, weight and screen emit',
  basis_type: 'the mean of its type',
  basis_weight_fit: 'what devices of its weight emit',
  basis_weight: 'its weight',
})

/** Of figures: exact decimals, as texts. */
export const FIGURE_NOTE_MESSAGES = defineMessages({
  note_production_only: 'The sheet gives production alone, which is E.',
  note_embodied_by_use: 'E = P − P × u = {total} − {use} = {embodied}.',
  note_embodied_by_share: 'E = P × (1 − u) = {total} × (1 − {share}) = {embodied}.',
  note_embodied_by_weight: 'E = w × f = {weight} × {factor} = {embodied}.',
  note_embodied_by_fit: 'E = exp(a + b × ln w + σ² ÷ 2) = exp({a} + {b} × ln {weight} + {sd}² ÷ 2) = {embodied}.',
  note_embodied_by_fit_of_screen: [
    'E = exp(a + b × ln w + c × ln s + σ² ÷ 2) = ',
    'exp({a} + {b} × ln {weight} + {c} × ln {screen} + {sd}² ÷ 2) = {embodied}.',
  ],
  note_use_by_share: 'P × u = {total} × {share} = {use}.',
  note_use_by_embodied: 'P × u = E × u ÷ (1 − u) = {embodied} × {share} ÷ (1 − {share}) = {use}.',
  note_use_by_electricity: [
    'P × u = E_type × u ÷ (1 − u) × W ÷ W_type = ',
    '{embodied} × {share} ÷ (1 − {share}) × {own} ÷ {energy} = {use}.',
  ],
  note_use_of_sheet: 'The maker’s own use pattern and grid stand behind this figure.',
  note_use_of_type: 'The use share is the default of the type, not a figure of this model.',
  note_quoted: 'The figures are quoted by {source}; the maker’s sheet itself was not read.',
  note_electricity_of_type: 'The electricity is that of type:{type}: no sheet of the model states it.',
  note_electricity_from_use: [
    'The sheet states its use for {region} and no electricity. W follows from both: W = P × u × 12 ÷ L ÷ EF = ',
    '{use} × 12 ÷ {months} ÷ {factor} = {energy} kWh a year.',
  ],
  note_lifetime_of_type: 'The lifetime is that of type:{type}: no sheet of the model states it.',
  note_metered_electricity: 'Do not add it to metered electricity, which has it already.',
  note_grid_years: 'The year of the grid factor taken for {used} is not stated: it is of {first} to {last}.',
  note_grid_year: 'The grid factor of {year} is taken for {used}: the nearest that there is.',
  years: '{first} to {last}',
  source_secondary: 'a secondary source',
  source_news: 'news report',
  source_journal: 'journal article',
  source_web_page: "maker's web page",
})

export const LEDGER_NOTE_MESSAGES = defineMessages({
  note_first_order: [
    'By itself the order would be charged by {own}; the device is charged by {footprint}, ',
    'as its first order fixed with release {release}.',
  ],
  note_identified: [
    'By itself the order would be charged by {own}; the device is charged by {footprint} of the release {release}, ',
    'as the event {event_id} identified it.',
  ],
  note_refurbished: [
    'r = (what was left + what the last refurbishment added) ÷ months left with those that it added; ',
    'the history of the device shows each.',
  ],
  note_refurbished_by_default: [
    'The emission of the refurbishment on {date} was not stated: R = {emission} kg CO2e is the default of type:{type} ',
    'in the release {release}, {low} to {high} kg, and indicative. r includes it.',
  ],
  note_uncapped: 'The account charges every month in full: earlier rentals do not lower it.',
  note_held: 'Held from {from} to {to}: {months} months; {ordered} were ordered.',
  note_ended: 'The device {end}, before its planned end on {planned}.',
  note_all_to_this_rental: 'The device was refurbished with no month of lifetime left: this rental is charged it all.',
  note_decommissioned: 'The device was retired or lost before: nothing is left to give.',
  note_amortised: 'Earlier rentals were given all that is embodied.',
  note_rounded: 'Posted is what the rounded sum of all rentals of the device grew by: {after} − {before}.',
})

export const FREIGHT_NOTE_MESSAGES = defineMessages({
  note_distance_adjusted: 'd = d_stated × a + b = {stated} × {a} + {b} = {distance}.',
  note_distance_of_route: 'd = max(0, d_stated − b) ÷ a = max(0, {stated} − {b}) ÷ {a} = {distance}.',
  note_nothing_moved: 'Nothing was moved: the weight or the distance is 0.',
  note_distance_within_flight: 'The stated distance is within what a flight adds: nothing is left.',
  note_packaging_boundary: 'Cradle to gate; the end of life of the packaging is not in it.',
  note_packaging_proxy: 'The source has no figure for this material: that of a similar one stands in.',
})
