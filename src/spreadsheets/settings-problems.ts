// What a sender states of a file beyond choices from lists: tables of values, and what a register lacks.
import { isCalendarDay } from '../engine/numbers/calendar.ts'
import { escapePointer, type Problem } from '../engine/order.ts'
import { closestMatches, withSuggestions } from '../engine/reference/suggestions.ts'
import { PROBLEMS_MAX } from '../engine/validate-order.ts'
import type { Message } from '../engine/message.ts'
import { SETTING_MESSAGES, shownValue } from './messages.ts'
import { REGISTER_COLUMNS, type Register } from './register-members.ts'

/** For all columns together: far more than any list of types, countries or means of transport. */
const VALUES_MAX = 2_000
const TEXT_LENGTH_MAX = 200

const EXAMPLE = '{"device_type":{"Notebook":"laptop"}}'

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** All that is wrong with tables of values, with JSON pointers below `/values`. */
export function problemsOfValues(sent: unknown): readonly Problem[] {
  if (!isObject(sent)) return [{ path: '/values', ...SETTING_MESSAGES.values_not_tables({ example: EXAMPLE }) }]
  const problems: Problem[] = []
  let count = 0
  for (const [column, texts] of Object.entries(sent)) {
    const path = `/values/${escapePointer(column)}`
    if (!isObject(texts)) {
      problems.push({ path, ...SETTING_MESSAGES.values_not_a_table() })
      continue
    }
    for (const [text, value] of Object.entries(texts)) {
      count += 1
      if (!isText(value) || text.length > TEXT_LENGTH_MAX)
        problems.push({
          path: `${path}/${escapePointer(text)}`,
          ...SETTING_MESSAGES.value_not_a_text({ max: TEXT_LENGTH_MAX }),
        })
    }
  }
  if (count > VALUES_MAX)
    problems.push({ path: '/values', ...SETTING_MESSAGES.values_too_many({ max: VALUES_MAX, count }) })
  return problems.slice(0, PROBLEMS_MAX)
}

const isText = (value: unknown): boolean =>
  typeof value === 'string' && value.length <= TEXT_LENGTH_MAX && !/[\u0000-\u001f\u007f-\u009f]/.test(value)

const CHECKS: Readonly<Record<keyof Register, (value: unknown) => Message | null>> = {
  customer_id: (value) =>
    isText(value) && String(value).trim() !== ''
      ? null
      : SETTING_MESSAGES.register_not_a_text({ max: TEXT_LENGTH_MAX }),
  starts_on: (value) =>
    typeof value === 'string' && isCalendarDay(value) ? null : SETTING_MESSAGES.register_not_a_day(),
  tenure_months: (value) =>
    Number.isInteger(value) && Number(value) >= 0 && Number(value) <= MONTHS_MAX
      ? null
      : SETTING_MESSAGES.register_not_months({ max: MONTHS_MAX }),
  weight_kg: (value) =>
    typeof value === 'number' && value > 0 && value <= WEIGHT_KG_MAX
      ? null
      : SETTING_MESSAGES.register_not_a_weight({ max: WEIGHT_KG_MAX }),
  country: (value) =>
    typeof value === 'string' && /^[A-Z]{2}$/.test(value) ? null : SETTING_MESSAGES.register_not_a_country(),
}
const MONTHS_MAX = 1200
const WEIGHT_KG_MAX = 40_000

/** All that is wrong with what is stated for a register, with JSON pointers below `/register`. */
export function problemsOfRegister(sent: unknown): readonly Problem[] {
  const names = Object.keys(REGISTER_COLUMNS)
  if (!isObject(sent)) return [{ path: '/register', ...SETTING_MESSAGES.register_not_an_object({ names }) }]
  return Object.entries(sent)
    .flatMap(([name, value]): readonly Problem[] => {
      const path = `/register/${escapePointer(name)}`
      if (!Object.hasOwn(CHECKS, name)) {
        const unknown = { path, ...SETTING_MESSAGES.register_member_unknown({ name: shownValue(name), names }) }
        return [withSuggestions(unknown, closestMatches(name, names))]
      }
      const fault = CHECKS[name as keyof Register](value)
      return fault === null ? [] : [{ path, ...fault }]
    })
    .slice(0, PROBLEMS_MAX)
}
