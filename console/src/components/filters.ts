// What a page is filtered by stands in its address: it can be linked to, and Back undoes it.
import { useLocation, useSearch } from 'wouter'

/** Changes of anything but the page itself lead back to the first page. */
const CURSOR = 'cursor'

export interface SetOptions {
  /** Makes no step of the history: Back does not stop at each letter of a search. */
  readonly replace?: boolean
  /** For what changes nothing about which rows there are, like a choice of some of them. */
  readonly keepsPage?: boolean
}

/**
 * @returns the filters by name, '' where one is not set; setting one to '' takes it out of the address. Path and query
 * are the browser's own: the router decodes both halfway, which is wrong for ids with a percent sign.
 */
export function useFilters<const Name extends string>(names: readonly Name[]) {
  useSearch()
  const [, navigate] = useLocation()
  const parameters = new URLSearchParams(location.search)
  const filters = Object.fromEntries(names.map((name) => [name, parameters.get(name) ?? ''])) as Record<Name, string>
  const setFilters = (changed: Partial<Record<Name, string>>, options: SetOptions = {}) => {
    const after = new URLSearchParams(location.search)
    if (!(CURSOR in changed) && !options.keepsPage) after.delete(CURSOR)
    for (const [name, value] of Object.entries<string | undefined>(changed)) {
      if (value) after.set(name, value)
      else after.delete(name)
    }
    const search = after.toString()
    navigate(`${location.pathname}${search && `?${search}`}`, { replace: options.replace ?? false })
  }
  return { filters, setFilters }
}
