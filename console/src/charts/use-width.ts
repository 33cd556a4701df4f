// How wide a chart may be: it is drawn anew where that changes, so that letters never get smaller.
import { useLayoutEffect, useRef, useState, type RefObject } from 'react'

/** @returns 0 until the element is there */
export function useWidth<Element extends HTMLElement>(): readonly [RefObject<Element | null>, number] {
  const element = useRef<Element>(null)
  const [width, setWidth] = useState(0)
  // Before anything is shown: what stands below would move when the chart is drawn.
  useLayoutEffect(() => {
    if (!element.current) return
    setWidth(Math.floor(element.current.clientWidth))
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry!.contentRect.width)))
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [])
  return [element, width]
}
