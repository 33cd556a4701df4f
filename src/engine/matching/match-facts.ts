// Facts that texts use to identify a model but that its name omits: release year, generation, chip, screen.

/** Maker of a processor. */
export type ProcessorMaker = 'intel' | 'amd' | 'arm'

export interface ImpliedTraits {
  readonly gen?: number
  readonly year?: number
  readonly chip?: string
  /** Inches. */
  readonly screen?: number
  /** Words that add nothing for this model. */
  readonly words?: readonly string[]
  /** Further names of the model. */
  readonly names?: readonly string[]
  /** True if the line was made in only one size that year. */
  readonly hasOneSize?: true
  /** True if texts with a rounded size mean another model. */
  readonly isSizeExact?: true
  /** True if an adjacent generation has the same chip, so that the chip does not identify the generation. */
  readonly isChipShared?: true
  /** True if the manufacturer reused the number for a later model: the processor or the year has to decide. */
  readonly isNumberReused?: true
  /** Makers of the model's processors; absent if not known. */
  readonly processors?: readonly ProcessorMaker[]
  /** The first and the last Intel processor generation of this model, if other models have the same name. */
  readonly intelGens?: readonly [first: number, last: number]
  /** Cores, clock and ports that the name omits. */
  readonly equipment?: readonly string[]
  /** Number that the manufacturer prints on the device, in lower case; some are shared by two models. */
  readonly modelNumber?: string
  /** True for a laptop that texts also call a tablet although it is no two-in-one. */
  readonly isTabletToo?: true
}

/** Facts about the models whose ids match a pattern, in which `*` stands for any characters and `#` for a digit. */
export interface ModelFactsRow {
  readonly models: string
  readonly traits: ImpliedTraits
}

/** A row whose pattern is prepared for many ids. */
export interface ModelFacts {
  readonly models: IdPattern
  readonly traits: ImpliedTraits
}

/** Each id that matches begins with `start`, which rules out most ids faster than the regular expression. */
interface IdPattern {
  readonly start: string
  readonly complete: RegExp
}

/** @param models lower-case letters, digits, hyphens, `*` and `#` */
export const idPattern = (models: string): IdPattern => ({
  start: models.split(/[*#]/, 1)[0]!,
  complete: new RegExp(`^${models.replaceAll('*', '.*').replaceAll('#', String.raw`\d`)}$`),
})

export const matchesId = ({ start, complete }: IdPattern, id: string): boolean =>
  id.startsWith(start) && complete.test(id)

/** Prepares the rows, those with the most general patterns first. */
export const compileFacts = (rows: readonly ModelFactsRow[]): readonly ModelFacts[] =>
  rows
    .toSorted((a, b) => specificity(a.models) - specificity(b.models))
    .map(({ models, traits }) => ({ models: idPattern(models), traits }))

/** A pattern with more characters besides `*` is more specific; `#` counts half. */
const specificity = (models: string): number =>
  models.replaceAll('*', '').length - models.replaceAll(/[^#]/g, '').length / 2

/** Facts about a model that its name omits and other texts use to identify it. A more specific row overrides others. */
export function impliedTraits(id: string, facts: readonly ModelFacts[]): ImpliedTraits {
  const own = facts.filter(({ models }) => matchesId(models, id))
  return Object.assign({}, ...own.map(({ traits }) => traits)) as ImpliedTraits
}
