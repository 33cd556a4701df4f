// The labels of a chunk's facts in the dimensions of a report, looked up once for each value of a column.
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

/** The labels of facts or patterns in a dimension; null where none is stated. */
export interface LabelColumn {
  readonly labels: readonly (string | null)[]
  readonly at: Uint16Array
  /** True if indexed by fact, for values that differ within a pattern; otherwise indexed by pattern. */
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
 * Reads one member of the metadata, an object of strings as written by JSON.stringify. Quotation marks within a string
 * are escaped with a backslash, so the quoted name after a brace or a comma can only be the member name. The exceptions
 * are the names `,` and `:`, which also occur between quotation marks as separators.
 */
function memberReader(member: string): (json: string) => string | null {
  const name = `${JSON.stringify(member)}:"`
  const parsed = (json: string): string | null =>
    (JSON.parse(json) as Readonly<Record<string, string | undefined>>)[member] ?? null
  if (member === ',' || member === ':') return (json) => (json === '' ? null : parsed(json))
  return (json) => {
    const at = json.startsWith(name, 1) ? 1 : json.indexOf(`,${name}`) + 1
    if (at === 0) return null
    const start = at + name.length
    const end = json.indexOf('"', start)
    const text = json.slice(start, end)
    if (!text.includes('\\')) return text
    return parsed(json)
  }
}
