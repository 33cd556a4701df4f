// Texts as one word that does not depend on case, accents, blanks and signs.
const LETTERS: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss' }

/** Letters and digits only, joined to one word. @param text in lower case, after NFC */
export const foldCase = (text: string): string =>
  text
    .replace(/[äöüß]/g, (letter) => LETTERS[letter]!)
    .normalize('NFD')
    .replace(/[^a-z0-9]/g, '')
