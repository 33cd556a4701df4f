// The version of the method: one that computes another number from the same inputs bears another version.

/** Stands on every receipt, so that a reader knows which method its numbers are to be recomputed by. */
export const METHOD_VERSION = '1.1'
