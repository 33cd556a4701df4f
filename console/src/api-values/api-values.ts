// What values of the API's fixed lists are called: ways of matching, and inputs, origins and units of calculations.
import { useMemo } from 'react'
import type { Values } from '../i18n/format-message.ts'
import { useMessages } from '../i18n/language.tsx'
import de from './messages.de.json'
import en from './messages.en.json'

/** A value of a list, which has the message `list_value`. */
export interface ListedValue {
  readonly list: 'method' | 'input' | 'origin' | 'unit'
  readonly value: string
  /** What its message names. */
  readonly values?: Values
}

type Key = keyof typeof en
const isKey = (text: string): text is Key => Object.hasOwn(en, text)

/** @returns what a value is called; the value itself where a later version of the service has added it */
export type ValueName = (one: ListedValue) => string

export function useValueNames(): ValueName {
  const t = useMessages({ en, de })
  return useMemo(
    () =>
      ({ list, value, values }) => {
        const key = `${list}_${value}`
        return isKey(key) ? t(key, values) : value
      },
    [t],
  )
}
