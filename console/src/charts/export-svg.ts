// A chart as a picture of its own: with its title and its legend, which on the page stand above it.
import { fillOf, type Series } from './theme.ts'

export interface Drawn {
  readonly title: string
  readonly svg: SVGSVGElement
  /** Id of its patterns. */
  readonly chart: string
  readonly series: readonly Series[]
}

const PADDING = 16
const TITLE_PIXELS = 16
const LETTER_PIXELS = 13
const LINE = 22
const SWATCH = 14
/** From a swatch to its words, and from those to the next. */
const [GAP, BETWEEN] = [6, 18]

/** @returns the picture, and its size in pixels */
export function pictureOf({ title, svg, chart, series }: Drawn) {
  const { width, height } = svg.getBoundingClientRect()
  const { color, fontFamily } = getComputedStyle(svg)
  const words = (x: number, y: number, text: string, pixels: number, weight: number) =>
    element('text', { x, y, fill: color, 'font-family': fontFamily, 'font-size': pixels, 'font-weight': weight }, text)
  const legend = placed(series, width, `${LETTER_PIXELS}px ${fontFamily}`)
  const above = PADDING + TITLE_PIXELS + (legend.at(-1)?.y ?? 0) + LINE
  const marks = legend.flatMap(({ x, y, series: { label, look } }) => [
    element('rect', {
      x: PADDING + x,
      y: PADDING + TITLE_PIXELS + y - LETTER_PIXELS + 1,
      width: SWATCH,
      height: SWATCH,
      rx: 3,
      fill: fillOf(chart, look),
    }),
    words(PADDING + x + SWATCH + GAP, PADDING + TITLE_PIXELS + y, label, LETTER_PIXELS, 400),
  ])
  const copy = withStyles(svg)
  for (const [name, value] of Object.entries({ x: PADDING, y: above, width, height }))
    copy.setAttribute(name, String(value))
  const size = { width: width + 2 * PADDING, height: above + height + PADDING }
  const picture = element('svg', size)
  picture.append(words(PADDING, PADDING + TITLE_PIXELS - 2, title, TITLE_PIXELS, 600), ...marks, copy)
  return { picture, ...size }
}

function element(name: string, attributes: Readonly<Record<string, string | number>>, text = ''): Element {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name)
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, String(value))
  made.textContent = text
  return made
}

/** One after the other, in as many lines as it takes. */
function placed(series: readonly Series[], width: number, font: string) {
  const ruler = document.createElement('canvas').getContext('2d')!
  ruler.font = font
  let [x, y] = [0, LINE]
  return series.map((one) => {
    const room = SWATCH + GAP + ruler.measureText(one.label).width
    if (x > 0 && x + room > width) [x, y] = [0, y + LINE]
    const place = { x, y, series: one }
    x += room + BETWEEN
    return place
  })
}

const STYLES = [
  'fill',
  'stroke',
  'stroke-width',
  'paint-order',
  'stroke-dasharray',
  'opacity',
  'font-family',
  'font-size',
  'font-weight',
]

/** The picture has no stylesheet: what its elements look like is written into a copy of them. */
function withStyles(svg: SVGSVGElement): Element {
  const copy = svg.cloneNode(true) as SVGSVGElement
  const copies = copy.querySelectorAll('*')
  for (const [at, original] of svg.querySelectorAll('*').entries()) {
    const style = getComputedStyle(original)
    for (const property of STYLES) copies[at]!.setAttribute(property, style.getPropertyValue(property))
  }
  return copy
}
