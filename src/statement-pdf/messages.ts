// The languages that a statement's PDF can be had in.
import { GERMAN } from './messages-de.ts'
import { ENGLISH, type Messages } from './messages-en.ts'

export const LANGUAGES = ['en', 'de'] as const
export type Language = (typeof LANGUAGES)[number]

export const MESSAGES: Readonly<Record<Language, Messages>> = { en: ENGLISH, de: GERMAN }
