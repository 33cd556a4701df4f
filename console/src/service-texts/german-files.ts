// The files of what the service says in English, in German. The build puts them together (scripts/build-console.ts).
import type { MessagesByCode } from './messages.ts'

/** Messages by code. Each is a file of its own. */
export const MESSAGE_FILES: readonly URL[] = [
  new URL('./calculations.de.json', import.meta.url),
  new URL('./imports.de.json', import.meta.url),
  new URL('./json.de.json', import.meta.url),
  new URL('./matching.de.json', import.meta.url),
  new URL('./problems.de.json', import.meta.url),
  new URL('./reports.de.json', import.meta.url),
]

/** Names of the catalogue, by the kind of entry and its id. */
export const CATALOGUE_FILE = new URL('./catalogue.de.json', import.meta.url)

/** The messages of all files. */
export const merged = (files: readonly MessagesByCode[]): MessagesByCode =>
  Object.fromEntries(files.flatMap((file) => Object.entries(file)))
