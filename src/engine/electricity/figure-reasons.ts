// Which figures of the inventory of electricity need a reason: those that move far from what they replace or follow.
import { monthText } from '../numbers/calendar.ts'
import { rationalOfNumber } from '../numbers/rational.ts'
import { isFar } from '../reference/figure-jump.ts'

/** The member with the value, of the kinds whose values are compared. An instrument says what its contract says. */
const VALUES = {
  'grid-month': 'factor_kg_co2e_per_kwh',
  'residual-mix': 'factor_kg_co2e_per_kwh',
  'grid-loss': 'share',
} as const
export type ComparedKind = keyof typeof VALUES

export const isCompared = (kind: string): kind is ComparedKind => Object.hasOwn(VALUES, kind)

interface Figure {
  readonly id: string
  readonly body: Readonly<Record<string, unknown>>
}

/** A figure without a reason, and the one that it is far from. */
export interface UnexplainedJump {
  readonly id: string
  readonly value: number
  readonly than: { readonly id: string; readonly value: number }
}

export interface ReasonedFigures {
  /** As they were sent, with the reasons that they keep or are given. */
  readonly figures: readonly Figure[]
  /** Figures that must not be stored, in the order in which they were sent. */
  readonly jumps: readonly UnexplainedJump[]
}

/**
 * Compares figures with those that they replace, and with those of the same country before them: for a month the same
 * one a year ago and the last one, of which it has to be near to one, since electricity has seasons; else the year
 * before. One that is far needs a reason. A stored reason is kept with the figure as long as what it replaces is near.
 * METHODOLOGY.md#market-based-electricity
 * @param stored the figures of the kind that apply now
 * @param reason for those of the figures that need one and have none; null for none
 */
export function giveReasons(
  kind: ComparedKind,
  sent: readonly Figure[],
  stored: readonly Figure[],
  reason: string | null,
): ReasonedFigures {
  const valueOf = ({ body }: Figure) => body[VALUES[kind]] as number
  const current = new Map(stored.map((one) => [one.id, one]))
  const values = new Map([...stored, ...sent].map((one) => [one.id, valueOf(one)]))
  const jumps: UnexplainedJump[] = []
  const figures = sent.map((figure) => {
    const [value, replaced] = [valueOf(figure), current.get(figure.id)]
    const isReplacedFar = replaced !== undefined && isFarFrom(valueOf(replaced), value)
    const known = figure.body['reason'] ?? (isReplacedFar ? undefined : replaced?.body['reason'])
    if (known !== undefined) return withReason(figure, known)
    if (replaced && valueOf(replaced) === value) return figure
    const than = isReplacedFar ? { id: figure.id, value: valueOf(replaced) } : farBefore(kind, figure.id, value, values)
    if (!than) return figure
    if (reason === null) jumps.push({ id: figure.id, value, than })
    return reason === null ? figure : withReason(figure, reason)
  })
  return { figures, jumps }
}

const isFarFrom = (old: number, value: number): boolean => isFar(rationalOfNumber(old), rationalOfNumber(value))

const withReason = ({ id, body, ...line }: Figure, reason: unknown): Figure => ({
  ...line,
  id,
  body: { ...body, reason },
})

/** The first figure before this one, if all that are known before it are far from it. */
function farBefore(
  kind: ComparedKind,
  id: string,
  value: number,
  values: ReadonlyMap<string, number>,
): UnexplainedJump['than'] | undefined {
  const known = idsBefore(kind, id).flatMap((before) => {
    const other = values.get(before)
    return other === undefined ? [] : [{ id: before, value: other }]
  })
  return known.every((other) => isFarFrom(other.value, value)) ? known[0] : undefined
}

function idsBefore(kind: ComparedKind, id: string): readonly string[] {
  const [country, period] = [id.slice(0, 2), id.slice(3)]
  const year = Number(period.slice(0, 4))
  if (kind !== 'grid-month') return [`${country}-${year - 1}`]
  const month = 12 * year + Number(period.slice(5)) - 1
  return [month - 12, month - 1].map((before) => `${country}-${monthText(before)}`)
}
