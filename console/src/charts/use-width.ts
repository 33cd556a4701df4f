// How wide a chart may be: it is drawn anew where that changes, so that letters never get smaller.
import { useEffect, useRef, useState, type RefObject } from 'react'

/** @returns 0 until the element is there */
export function useWidth<Element extends HTMLElement>(): readonly [RefObject<Element | null>, number] {
  const element = useRef<Element>(null)
  const [width, setWidth] = useState(0)
  useEffect(() => {
    if (!element.current) return
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry!.contentRect.width)))
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [])
  return [element, width]
}
