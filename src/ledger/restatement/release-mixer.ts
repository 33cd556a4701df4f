// Releases that are mixed from two, and the causes for which two differ, each computed once for a restatement.
import type { ReferenceData } from '../../engine/reference/reference-data.ts'
import type { LoadReferenceData } from '../record-event.ts'
import { differingCauses, mixReleases, type Cause } from './causes.ts'

/** The release by which an order is calculated, under the id that its entries name. */
export interface NamedRelease {
  readonly releaseId: number
  readonly referenceData: ReferenceData
}

/** No stored release has this number, or a lower one: those are of 16 bits. */
const FIRST_MIXED = -100_000

/** Of what each is mixed, so that it can be mixed again. */
interface Recipe {
  readonly releaseId: number
  readonly earlier: number
  readonly later: number
  readonly exchanged: ReadonlySet<Cause>
}

/** Each has maps of all models, and the orders of an account may have been made by hundreds of releases. */
const MIXED_KEPT_MAX = 8

/** Releases that are mixed from two, each under a number that no stored release has. */
export function createReleaseMixer(referenceDataOf: LoadReferenceData) {
  const recipes = new Map<string, Recipe>()
  const byId = new Map<number, Recipe>()
  /** The one that was used last comes last. */
  const kept = new Map<number, Promise<ReferenceData>>()
  const differing = new Map<string, Promise<ReturnType<typeof differingCauses>>>()
  const both = (earlier: number, later: number) => Promise.all([referenceDataOf(earlier), referenceDataOf(later)])
  const mixed = ({ releaseId, earlier, later, exchanged }: Recipe): Promise<ReferenceData> => {
    const known =
      kept.get(releaseId) ?? both(earlier, later).then(([before, after]) => mixReleases(before, after, exchanged))
    kept.delete(releaseId)
    kept.set(releaseId, known)
    for (const oldest of kept.keys()) if (kept.size > MIXED_KEPT_MAX) kept.delete(oldest)
    known.catch(() => kept.delete(releaseId))
    return known
  }
  return {
    referenceDataOf: (releaseId: number): Promise<ReferenceData> => {
      const recipe = byId.get(releaseId)
      return recipe ? mixed(recipe) : referenceDataOf(releaseId)
    },
    differing: (earlier: number, later: number) => {
      const pair = `${earlier} ${later}`
      const known =
        differing.get(pair) ?? both(earlier, later).then(([before, after]) => differingCauses(before, after))
      differing.set(pair, known)
      return known
    },
    mix: async (earlier: number, later: number, exchanged: ReadonlySet<Cause>): Promise<NamedRelease> => {
      const name = `${earlier} ${later} ${[...exchanged].join(' ')}`
      const recipe = recipes.get(name) ?? { releaseId: FIRST_MIXED - byId.size, earlier, later, exchanged }
      recipes.set(name, recipe)
      byId.set(recipe.releaseId, recipe)
      return { releaseId: recipe.releaseId, referenceData: await mixed(recipe) }
    },
  }
}

export type ReleaseMixer = ReturnType<typeof createReleaseMixer>
