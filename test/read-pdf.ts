// A PDF read back by another program than the one that wrote it: its text, its tags, what it says of itself.
import { getDocument, type PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'

/** An element of the structure tree. */
export interface TagNode {
  readonly role: string
  readonly alt?: string
  readonly lang?: string
  readonly children: readonly TagNode[]
  /** What is drawn in it, and in its children. */
  readonly text: string
}

export interface ReadPdf {
  readonly metadata: Readonly<Record<string, unknown>>
  readonly xmp: string
  /** Page by page, all that is drawn, with single spaces. */
  readonly pages: readonly string[]
  /** Page by page: an element that goes over several pages is on each of them. */
  readonly tags: readonly TagNode[]
  readonly bookmarks: readonly string[]
  /** Where the text that goes furthest to the right ends, in points. */
  readonly rightmost: number
}

export async function readPdf(bytes: Uint8Array): Promise<ReadPdf> {
  const loading = getDocument({ data: Uint8Array.from(bytes), verbosity: 0 })
  const document = await loading.promise
  const { info, metadata } = await document.getMetadata()
  const pages = []
  for (let no = 1; no <= document.numPages; no++) pages.push(await readPage(document, no))
  const outline = (await document.getOutline()) ?? []
  await loading.destroy()
  return {
    metadata: info as Record<string, unknown>,
    xmp: (metadata as { getRaw(): string } | null)?.getRaw() ?? '',
    pages: pages.map(({ text }) => text),
    tags: pages.map(({ tags }) => tags),
    bookmarks: outline.map(({ title }) => title),
    rightmost: Math.max(...pages.map((page) => page.rightmost)),
  }
}

interface RawNode {
  readonly role?: string
  readonly alt?: string
  readonly lang?: string
  readonly id?: string
  readonly type?: string
  readonly children?: readonly RawNode[]
}

interface ReadPage {
  readonly text: string
  readonly tags: TagNode
  readonly rightmost: number
}

async function readPage(document: PDFDocumentProxy, no: number): Promise<ReadPage> {
  const page = await document.getPage(no)
  const { items } = await page.getTextContent({ includeMarkedContent: true })
  const drawn = new Map<string, string>()
  const open: (string | undefined)[] = []
  let [text, rightmost] = ['', 0]
  for (const item of items) {
    if ('str' in item) {
      const words = item.str + (item.hasEOL ? ' ' : '')
      text += words
      rightmost = Math.max(rightmost, (item.transform[4] as number) + item.width)
      const id = open.findLast((one) => one !== undefined)
      if (id !== undefined) drawn.set(id, (drawn.get(id) ?? '') + words)
    } else if (item.type === 'endMarkedContent') open.pop()
    else open.push('id' in item ? (item.id ?? undefined) : undefined)
  }
  const tree = (await page.getStructTree()) as RawNode | null
  return { text: spaced(text), tags: toNode(tree ?? {}, drawn), rightmost }
}

const spaced = (text: string): string => text.replace(/\s+/g, ' ').trim()

function toNode(raw: RawNode, drawn: ReadonlyMap<string, string>): TagNode {
  const inside = (raw.children ?? []).filter((child) => child.type !== 'content')
  const own = (raw.children ?? []).filter((child) => child.type === 'content')
  const children = inside.map((child) => toNode(child, drawn))
  const text = [...own.map(({ id }) => drawn.get(id!) ?? ''), ...children.map((child) => child.text)].join(' ')
  return {
    role: raw.role ?? '',
    ...(raw.alt === undefined ? {} : { alt: raw.alt }),
    ...(raw.lang === undefined ? {} : { lang: raw.lang }),
    children,
    text: spaced(text),
  }
}

/** All elements of a role, in the sequence in which they are read. */
export const findTags = (node: TagNode, role: string): readonly TagNode[] => [
  ...(node.role === role ? [node] : []),
  ...node.children.flatMap((child) => findTags(child, role)),
]
