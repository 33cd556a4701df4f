// What opens the bars of a chart: links that lie over it, one stop for Tab, with arrow keys from one to the next.
import { Tooltip } from '@base-ui/react/tooltip'
import { useRef, useState, type KeyboardEvent } from 'react'
import { Link } from 'wouter'
import de from '../components/messages.de.json'
import en from '../components/messages.en.json'
import { Tip } from '../components/tooltip.tsx'
import { useMessages } from '../i18n/language.tsx'
import './chart-targets.css'

/** What is pressed is at least so wide, and so high. */
export const TARGET_PIXELS = 24

export interface Target {
  readonly key: string
  /** What is opened, with its full value. */
  readonly name: string
  /** What of that is what, each with its full value. */
  readonly details: readonly string[]
  readonly href: string
  /** In pixels, from the upper left of the drawing. */
  readonly place: Readonly<Record<'left' | 'top' | 'width' | 'height', number>>
}

export interface ChartTargetsProps {
  readonly title: string
  readonly targets: readonly Target[]
}

/** The way of a toolbar: in it Tab stops once, where one was last. */
export function ChartTargets({ title, targets }: ChartTargetsProps) {
  const t = useMessages({ en, de })
  const bar = useRef<HTMLDivElement>(null)
  const [last, setLast] = useState(0)
  const stop = Math.min(last, targets.length - 1)
  const onKeyDown = (event: KeyboardEvent) => {
    const isOfBrowser = event.altKey || event.ctrlKey || event.metaKey
    const links = [...(bar.current?.querySelectorAll('a') ?? [])]
    // Where the focus is, and not where it was when this was last drawn: keys may come faster than that.
    const at = links.findIndex((link) => link === document.activeElement)
    const next = isOfBrowser ? null : placeAfter(event.key, at, links.length)
    if (next === null) return
    event.preventDefault()
    links[next]?.focus()
  }
  return (
    <div ref={bar} role="toolbar" aria-label={t('barsOf', { title })} onKeyDown={onKeyDown}>
      {targets.map((target, at) => (
        <TargetLink key={target.key} target={target} isStop={at === stop} onFocus={() => setLast(at)} />
      ))}
    </div>
  )
}

/** Null for a key that leads nowhere. */
function placeAfter(key: string, at: number, count: number): number | null {
  if (key === 'ArrowRight' || key === 'ArrowDown') return (at + 1) % count
  if (key === 'ArrowLeft' || key === 'ArrowUp') return (at + count - 1) % count
  if (key === 'Home') return 0
  return key === 'End' ? count - 1 : null
}

interface TargetLinkProps {
  readonly target: Target
  readonly isStop: boolean
  readonly onFocus: () => void
}

function TargetLink({ target: { name, details, href, place }, isStop, onFocus }: TargetLinkProps) {
  const t = useMessages({ en, de })
  return (
    <Tip
      // Within the page's own landmark, where all of its content is.
      container={document.querySelector('main')}
      className="chart-target-tip"
      trigger={
        <Tooltip.Trigger
          tabIndex={isStop ? 0 : -1}
          onFocus={onFocus}
          render={<Link href={href} className="chart-target" aria-label={t('openBar', { name })} style={place} />}
        />
      }
    >
      <strong>{name}</strong>
      {details.map((one, at) => (
        <span key={at}>{one}</span>
      ))}
    </Tip>
  )
}
