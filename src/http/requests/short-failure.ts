// Of a request, or of a file, no failure repeats more than it takes to find the place: names there may take megabytes.
import type { Problem } from '../../engine/order.ts'

/** No sentence of ours comes near, and no path into a body that is sound. */
const MESSAGE_CHARACTERS_MAX = 2_000
const PATH_CHARACTERS_MAX = 1_000
const SUGGESTION_CHARACTERS_MAX = 300

const cut = (text: string, charactersMax: number): string =>
  text.length <= charactersMax ? text : `${text.slice(0, charactersMax)}…`

export const truncateMessage = (message: string): string => cut(message, MESSAGE_CHARACTERS_MAX)

/** A suggestion that is cut would not be what is right: it is left out. */
export const truncateProblem = ({ path, message, suggestions }: Problem): Problem => ({
  path: cut(path, PATH_CHARACTERS_MAX),
  message: truncateMessage(message),
  ...(suggestions && { suggestions: suggestions.filter(({ length }) => length <= SUGGESTION_CHARACTERS_MAX) }),
})
