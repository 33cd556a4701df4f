// Charts to take along: their data as CSV, their picture as PNG.

import { toCsv, type ChartTable } from './csv.ts'
import type { Drawn } from './export-svg.ts'

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

/** @throws where the picture cannot be made, as after an update of the service */
export async function downloadPng(drawn: Drawn): Promise<void> {
  const { pictureOf } = await import('./export-svg.ts')
  const { picture, width, height } = pictureOf(drawn)
  const image = new Image()
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(picture))}`
  await image.decode()
  const canvas = Object.assign(document.createElement('canvas'), { width: width * SCALE, height: height * SCALE })
  const context = canvas.getContext('2d')!
  // What is drawn is drawn on a card.
  context.fillStyle = getComputedStyle(drawn.svg.closest('figure')!).backgroundColor
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.drawImage(image, 0, 0, canvas.width, canvas.height)
  canvas.toBlob((blob) => blob && download(`${fileNameOf(drawn.title)}.png`, blob))
}
