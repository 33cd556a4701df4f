// A number to read: three significant digits, all of them on hover or focus, and "Why?" when it is pressed.
import { Tooltip } from '@base-ui/react/tooltip'
import { countedUnit } from '../i18n/plural-units.ts'
import { useFormat } from '../i18n/format.ts'
import { useLanguage, useMessages } from '../i18n/language.tsx'
import type { Why } from './explanation.ts'
import de from './messages.de.json'
import en from './messages.en.json'
import { Tip } from './tooltip.tsx'
import { useWhy } from './explanation-dialog.tsx'
import './figure.css'

export interface FigureProps {
  /** Null for what is not known, which is not 0. */
  readonly value: number | null
  readonly unit: string
  /** Shown beside the number, where no heading tells it. */
  readonly showsUnit?: boolean
  /** Every digit shown at once, for figures that have to add up before the reader's eyes. */
  readonly isExact?: boolean
  /** A change: what is more says so, as what is less does. */
  readonly showsSign?: boolean
  readonly why?: Why | undefined
}

export function Figure({
  value,
  unit: unitOfMany,
  showsUnit = false,
  isExact = false,
  showsSign = false,
  why,
}: FigureProps) {
  const t = useMessages({ en, de })
  const { short, full } = useFormat()
  const { language } = useLanguage()
  const open = useWhy()
  if (value === null) return <span className="muted">–</span>
  const unit = countedUnit(value, unitOfMany, language)
  const shown = `${showsSign && value > 0 ? '+' : ''}${isExact ? full(value) : short(value)}`
  const exactly = `${full(value)} ${unit}`
  // What is read has to stand in the name, unit and all.
  const name = t(why ? 'whyOf' : 'exactly', { value: showsUnit ? `${shown} ${unit}` : shown, full: exactly })
  return (
    <Tip
      trigger={
        <Tooltip.Trigger
          className={why ? 'figure figure-why' : 'figure'}
          aria-label={name}
          closeOnClick={why !== undefined}
          onClick={() => why && open(why)}
        >
          {shown}
          {showsUnit && <span className="figure-unit"> {unit}</span>}
        </Tooltip.Trigger>
      }
    >
      {exactly}
      {why && <span className="muted"> · {t('why')}</span>}
    </Tip>
  )
}
