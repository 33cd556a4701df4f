// What the service says in English, in German: loaded where German is chosen, its texts as data, not as program.
import type { MessagesByCode } from './messages.ts'

/** All of german-files.ts in one; its name here has the build put it there. */
const GERMAN = new URL('../../generated/service-texts.de.json', import.meta.url)

/** @throws where the file cannot be had */
export const loadGerman = async (): Promise<MessagesByCode> => (await (await fetch(GERMAN)).json()) as MessagesByCode
