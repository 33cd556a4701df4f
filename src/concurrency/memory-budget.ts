// Bounds the memory held for slow clients: above the limit, the owner with the most bytes loses a connection.

export interface MemoryReservation {
  readonly add: (bytes: number) => void
  /** Called once, when the bytes are no longer in memory. */
  readonly release: () => void
}

export interface MemoryBudget {
  /**
   * @param owner the owner to whom the bytes are counted, over all connections
   * @param cut ends the connection that holds the bytes; has to release them, sooner or later
   */
  readonly hold: (owner: unknown, bytes: number, cut: () => void) => MemoryReservation
  /** Number of bytes held now. */
  readonly held: () => number
}

interface Entry {
  readonly owner: unknown
  readonly cut: () => void
  bytes: number
}

/** A single reservation is never rejected: what one client may send or receive at a time is limited elsewhere. */
export function createMemoryBudget(bytesMax: number): MemoryBudget {
  /** The oldest first. */
  const entries = new Set<Entry>()
  let total = 0
  const remove = (entry: Entry): void => {
    if (entries.delete(entry)) total -= entry.bytes
  }
  const enforce = (): void => {
    while (total > bytesMax && entries.size > 1) {
      const entry = largestOf(greediestOf(entries))
      remove(entry)
      entry.cut()
    }
  }
  return {
    hold: (owner, bytes, cut) => {
      const entry: Entry = { owner, cut, bytes }
      entries.add(entry)
      total += bytes
      enforce()
      return {
        add: (more) => {
          if (!entries.has(entry)) return
          entry.bytes += more
          total += more
          enforce()
        },
        release: () => remove(entry),
      }
    },
    held: () => total,
  }
}

const bytesOf = (entries: readonly Entry[]): number => entries.reduce((sum, { bytes }) => sum + bytes, 0)

function greediestOf(entries: ReadonlySet<Entry>): readonly Entry[] {
  const byOwner = [...Map.groupBy(entries, ({ owner }) => owner).values()]
  return byOwner.reduce((most, one) => (bytesOf(one) > bytesOf(most) ? one : most))
}

/** Of equally large entries, the oldest. */
const largestOf = (entries: readonly Entry[]): Entry =>
  entries.reduce((most, one) => (one.bytes > most.bytes ? one : most))
