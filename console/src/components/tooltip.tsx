// What is told of a thing while the pointer or the focus of the keyboard is on it.
import { Tooltip } from '@base-ui/react/tooltip'
import { useRef, type ComponentProps, type ReactElement, type ReactNode } from 'react'
import './tooltip.css'

type OnOpenChange = NonNullable<ComponentProps<typeof Tooltip.Root>['onOpenChange']>

export interface TipProps {
  /** The thing: a Tooltip.Trigger. */
  readonly trigger: ReactElement
  /** Where in the page it is put; at its end, where nothing is said. */
  readonly container?: HTMLElement | null
  readonly className?: string
  readonly children: ReactNode
}

export function Tip({ trigger, container, className, children }: TipProps) {
  const of = useRef<Element>(undefined)
  const onOpenChange: OnOpenChange = (isOpen, change) => {
    if (isOpen) of.current = change.trigger
    // A pointer may leave because the page moves beneath it. What the keyboard is on keeps its tip all the same.
    else if (change.reason === 'trigger-hover' && of.current?.matches(':focus-visible')) change.cancel()
  }
  return (
    <Tooltip.Root onOpenChange={onOpenChange}>
      {trigger}
      <Tooltip.Portal container={container}>
        <Tooltip.Positioner sideOffset={6} className="tip-place">
          <Tooltip.Popup className={className ? `tip ${className}` : 'tip'}>{children}</Tooltip.Popup>
        </Tooltip.Positioner>
      </Tooltip.Portal>
    </Tooltip.Root>
  )
}
