// The sums and the digest of a preview.
import { createHash } from 'node:crypto'
import { totalEmissionOf } from '../../engine/ledger-history.ts'
import { sumMilligrams, type Milligrams } from '../../engine/numbers/emission.ts'
import { CAUSES, type Cause } from './causes.ts'
import type { ChangeRow } from './change-rows.ts'
import type { GroupPreview } from './preview-group.ts'

/** Adds up what a preview says, and hashes it. */
export function createSums() {
  const hash = createHash('sha256')
  const customers = new Set<string>()
  const bridge = new Map<Cause, Milligrams>()
  const years = new Map<string, { customerId: string; year: number; bridge: Map<Cause, Milligrams> }>()
  let [orders, devices, problems, before] = [0, 0, 0, 0n]
  let countsFrom: string | null = null
  return {
    add: (row: ChangeRow): void => {
      const { customerId, orderId, year, problem } = row
      // The years follow from the orders and from the ledgers.
      if (year === null)
        hash.update(
          `${JSON.stringify([customerId, orderId, String(row.before), row.bridge, problem && problem.message])}\n`,
        )
      if (problem !== null) problems += 1
      else if (year === null) {
        orders += 1
        before += row.before ?? 0n
        customers.add(customerId)
      }
    },
    addGroup: (group: GroupPreview): void => {
      countsFrom = group.countsFrom
      hash.update(`${JSON.stringify(group.ledgers)}\n`)
      devices += group.devices
      for (const order of group.orders)
        for (const [cause, parts] of entriesOf(order.bridge)) increase(bridge, cause, totalEmissionOf(parts))
      for (const { customerId, year, bridge: ofYear } of group.years) {
        const name = `${year} ${customerId}`
        const known = years.get(name) ?? { customerId, year, bridge: new Map<Cause, Milligrams>() }
        for (const [cause, sum] of entriesOf(ofYear)) increase(known.bridge, cause, sum)
        years.set(name, known)
      }
    },
    yearRows: (): readonly ChangeRow[] =>
      [...years.values()]
        .toSorted((a, b) => (a.customerId === b.customerId ? a.year - b.year : a.customerId < b.customerId ? -1 : 1))
        .map(({ customerId, year, bridge: ofYear }) => ({
          customerId,
          orderId: '',
          year,
          before: null,
          difference: sumMilligrams([...ofYear.values()]),
          bridge: JSON.stringify(textsOf(ofYear)),
          problem: null,
        })),
    result: () => ({
      digest: hash.update(countsFrom ?? '').digest('hex'),
      summary: {
        counts_from: countsFrom,
        number_of_orders: orders,
        number_of_devices: devices,
        number_of_customers: customers.size,
        number_of_problems: problems,
        before: String(before),
        difference: String(sumMilligrams([...bridge.values()])),
        bridge: textsOf(bridge),
        years: sumsOfYears([...years.values()]),
      },
    }),
  }
}

function sumsOfYears(all: readonly { readonly year: number; readonly bridge: ReadonlyMap<Cause, Milligrams> }[]) {
  const sums = new Map<number, Map<Cause, Milligrams>>()
  for (const { year, bridge } of all) {
    const ofYear = sums.get(year) ?? new Map<Cause, Milligrams>()
    for (const [cause, sum] of bridge) increase(ofYear, cause, sum)
    sums.set(year, ofYear)
  }
  return [...sums]
    .toSorted(([a], [b]) => a - b)
    .map(([year, bridge]) => ({
      year,
      difference: String(sumMilligrams([...bridge.values()])),
      bridge: textsOf(bridge),
    }))
}

const entriesOf = <Value>(bridge: Readonly<Partial<Record<Cause, Value>>>): readonly (readonly [Cause, Value])[] =>
  CAUSES.flatMap((cause) => (bridge[cause] === undefined ? [] : [[cause, bridge[cause]] as const]))

const increase = (sums: Map<Cause, Milligrams>, cause: Cause, by: Milligrams): void =>
  void sums.set(cause, (sums.get(cause) ?? 0n) + by)

const textsOf = (sums: ReadonlyMap<Cause, Milligrams>): Record<string, string> =>
  Object.fromEntries([...sums].filter(([, sum]) => sum !== 0n).map(([cause, sum]) => [cause, String(sum)]))
