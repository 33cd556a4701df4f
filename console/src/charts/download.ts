// Charts to take along: their data as CSV, their picture as PNG.

import { toCsv, type ChartTable } from './csv.ts'

export const downloadCsv = (name: string, table: ChartTable): void =>
  download(`${fileNameOf(name)}.csv`, new Blob([toCsv(table)], { type: 'text/csv;charset=utf-8' }))

const fileNameOf = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')

function download(name: string, blob: Blob): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}

/** Sharp on paper, too. */
const SCALE = 2
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
export async function downloadPng(name: string, svg: SVGSVGElement): Promise<void> {
  const { width, height } = svg.getBoundingClientRect()
  const copy = svg.cloneNode(true) as SVGSVGElement
  const copies = copy.querySelectorAll('*')
  for (const [at, element] of svg.querySelectorAll('*').entries()) {
    const style = getComputedStyle(element)
    for (const property of STYLES) copies[at]!.setAttribute(property, style.getPropertyValue(property))
  }
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg')
  copy.setAttribute('width', String(width))
  copy.setAttribute('height', String(height))
  const picture = new Image()
  picture.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(copy))}`
  await picture.decode()
  const canvas = Object.assign(document.createElement('canvas'), { width: width * SCALE, height: height * SCALE })
  const context = canvas.getContext('2d')!
  context.fillStyle = getComputedStyle(document.body).backgroundColor
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.drawImage(picture, 0, 0, canvas.width, canvas.height)
  canvas.toBlob((blob) => blob && download(`${fileNameOf(name)}.png`, blob))
}
