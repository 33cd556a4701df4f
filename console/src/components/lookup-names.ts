// What a parameter of the API is called on the pages, by the path of a fault in it, like ?from or ?columns/a.
import en from './messages.en.json'

type Name = Extract<keyof typeof en, `asked_${string}`>

const isName = (name: string): name is Name => name in en

/** The key of its name; null where pages have none for it. */
export function lookupName(path: string): Name | null {
  const parameter = /^\?(\w+)$/.exec(path)?.[1]
  const name = `asked_${parameter}`
  return isName(name) ? name : null
}
