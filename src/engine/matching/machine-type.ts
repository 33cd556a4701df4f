// Lenovo's machine types: the first four characters of the number under which inventories list its computers.

/** "20HF", "20HF0012GE", "80SM": portable computers since 2012; their third character is a letter. */
const MACHINE_TYPE = /^(?:2[0-2]|8[0-3])[a-z][a-z\d](?:[a-z\d]{6})?$/
/** "627748G": four digits, and three characters for the equipment; only known ones are told from other numbers. */
const OLD_NUMBER = /^\d{4}(?:[a-z\d]{3})?$/

/** True for a number of a portable computer, alone or with the characters for its equipment. */
export const isMachineType = (token: string): boolean => MACHINE_TYPE.test(token)

/** The machine type in a part number or alias, in lower case; null if it has another form. */
export const machineTypeOf = (token: string): string | null =>
  MACHINE_TYPE.test(token) || OLD_NUMBER.test(token) ? token.slice(0, 4) : null
