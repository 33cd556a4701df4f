// Progress as a bar and in words.
import { useId } from 'react'
import { useFormat } from '../i18n/format.ts'
import './progress-bar.css'

export interface ProgressBarProps {
  readonly label: string
  /** 0 to 1. */
  readonly share: number
}

export function ProgressBar({ label, share }: ProgressBarProps) {
  const id = useId()
  const { percent } = useFormat()
  return (
    <div>
      <div className="progress-words">
        <label htmlFor={id}>{label}</label>
        <span>{percent(share)}</span>
      </div>
      <progress id={id} max={1} value={share} />
    </div>
  )
}
