// What the facts of a chunk are by the dimensions of a report, looked up once for each value of a column.
import type { ColumnChunk } from './column-chunk.ts'
import type { DeviceDimension } from './device-dimension.ts'
import { METADATA, type FactDimension } from './query.ts'

/** Numbers the labels of a dimension: 0, 1, 2 … */
export interface LabelDictionary {
  readonly of: (label: string | null) => number
  readonly at: (code: number) => string | null
  readonly size: () => number
}

export function createLabelDictionary(): LabelDictionary {
  const codes = new Map<string | null, number>()
  const labels: (string | null)[] = []
  return {
    of: (label) => {
      const known = codes.get(label)
      if (known !== undefined) return known
      codes.set(label, labels.length)
      return labels.push(label) - 1
    },
    at: (code) => labels[code]!,
    size: () => labels.length,
  }
}

/** What facts or patterns are by a dimension: null for what they are not told of. */
export interface LabelColumn {
  readonly labels: readonly (string | null)[]
  readonly at: Uint16Array
  /** By fact, what those of one pattern need not have in common; else by pattern. */
  readonly isOwn: boolean
}

export function labelColumn(chunk: ColumnChunk, name: FactDimension, devices: DeviceDimension): LabelColumn {
  const label = labelling(name, devices)
  const isOwn = name === 'customer' || name.startsWith(METADATA)
  const { values, at } = isOwn
    ? chunk.own(name === 'customer' ? name : 'metadata')
    : chunk.text(name === 'country' ? name : 'device')
  return { labels: values.map(label), at, isOwn }
}

function labelling(name: FactDimension, devices: DeviceDimension): (text: string) => string | null {
  switch (name) {
    case 'customer':
    case 'country':
      return (text) => (text === '' ? null : text)
    case 'model':
    case 'type':
    case 'brand':
      return (text) => devices.of(text)?.[name] ?? null
    default:
      return memberReader(name.slice(METADATA.length))
  }
}

/**
 * A member of the metadata, which is an object of texts as JSON.stringify writes it. Within a text a quotation mark has
 * a backslash before it, so that the name in its own marks, after a brace or a comma, can be nothing but the member;
 * unless it is a comma or a colon, which stand between marks anyway.
 */
function memberReader(member: string): (json: string) => string | null {
  const name = `${JSON.stringify(member)}:"`
  const parsed = (json: string): string | null =>
    (JSON.parse(json) as Readonly<Record<string, string | undefined>>)[member] ?? null
  if (member === ',' || member === ':') return (json) => (json === '' ? null : parsed(json))
  return (json) => {
    const found = json.startsWith(name, 1) ? 1 : json.indexOf(`,${name}`) + 1
    if (found === 0) return null
    const start = found + name.length
    const end = json.indexOf('"', start)
    const text = json.slice(start, end)
    if (!text.includes('\\')) return text
    return parsed(json)
  }
}
