// How many groups a report may have: each is in memory from when it is added up until it is written.

/** Some 200 bytes each. A spreadsheet has room for twice as many. */
export const GROUPS_MAX = 500_000

export class TooManyGroups extends Error {
  override name = 'TooManyGroups'
}

/** @throws TooManyGroups as soon as there are more than a report may have, not when all are there */
export function refuseMoreGroups(groups: number): void {
  if (groups > GROUPS_MAX) throw new TooManyGroups(`A report has at most ${GROUPS_MAX} groups; this one has more`)
}
