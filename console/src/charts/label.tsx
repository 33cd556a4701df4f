// The name of something drawn: cut where it would run out of the picture, in full where it is pointed at.

/** Of the letters of a chart; wide ones and narrow ones come to about this. */
const LETTER_PIXELS = 7.5

/** What stands where it is cut is as wide as two letters. */
const CUT_LETTERS = 2

export interface LabelProps {
  readonly x: number
  readonly y: number
  /** How much room there is from x on, in pixels. */
  readonly room: number
  readonly isStrong?: boolean
  readonly children: string
}

export function Label({ x, y, room, isStrong = false, children }: LabelProps) {
  const letters = [...children]
  const count = Math.max(1, Math.floor(room / LETTER_PIXELS))
  return (
    <text x={x} y={y} fontWeight={isStrong ? 700 : 400}>
      {letters.length > count && <title>{children}</title>}
      {letters.length > count
        ? `${letters
            .slice(0, Math.max(1, count - CUT_LETTERS))
            .join('')
            .trimEnd()}…`
        : children}
    </text>
  )
}
