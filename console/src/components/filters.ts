// What a page is filtered by stands in its address: it can be linked to, and Back undoes it.
import { useSearchParams } from 'wouter'

/** Changes of anything but the page itself lead back to the first page. */
const CURSOR = 'cursor'

export interface SetOptions {
  /** Makes no step of the history: Back does not stop at each letter of a search. */
  readonly replace?: boolean
  /** For what changes nothing about which rows there are, like a choice of some of them. */
  readonly keepsPage?: boolean
}

/** @returns the filters by name, '' where one is not set; setting one to '' takes it out of the address */
export function useFilters<const Name extends string>(names: readonly Name[]) {
  const [parameters, setParameters] = useSearchParams()
  const filters = Object.fromEntries(names.map((name) => [name, parameters.get(name) ?? ''])) as Record<Name, string>
  const setFilters = (changed: Partial<Record<Name, string>>, options: SetOptions = {}) =>
    setParameters(
      (before) => {
        const after = new URLSearchParams(before)
        if (!(CURSOR in changed) && !options.keepsPage) after.delete(CURSOR)
        for (const [name, value] of Object.entries<string | undefined>(changed)) {
          if (value) after.set(name, value)
          else after.delete(name)
        }
        return after
      },
      { replace: options.replace ?? false },
    )
  return { filters, setFilters }
}
