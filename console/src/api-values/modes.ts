// The modes of transport, as they are offered, and what they are called.
import { useMemo } from 'react'
import type { Schemas } from '../api/client.ts'
import { useMessages } from '../i18n/language.tsx'
import de from './messages.de.json'
import en from './messages.en.json'

export type Mode = Schemas['Transportation']['transportation_mode']

/** Each mode of the API is here, and has the message `mode_…`, or the console does not compile. */
const OFFERED: Readonly<Record<Mode, true>> = { road: true, rail: true, sea: true, air: true }

export const MODES = Object.keys(OFFERED) as readonly Mode[]

/** @returns what a mode is called */
export function useModeName(): (mode: Mode) => string {
  const t = useMessages({ en, de })
  return useMemo(() => (mode) => t(`mode_${mode}`), [t])
}
