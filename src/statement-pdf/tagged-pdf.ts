// Writes pages of blocks into a tagged PDF, whose bytes are read page by page.
import type { Readable } from 'node:stream'
import PDFDocument from 'pdfkit'
import { breakLines, fontFaces, type FontFace } from './text.ts'
import { BODY_WIDTH, COLOURS, PAPER, SIZES } from './theme.ts'
import type { PlacedBlock } from './paginate.ts'
import type { BoxShape, Block, Shape, Table, Tagged, TextShape } from './layout.ts'

export interface DocumentInfo {
  readonly title: string
  /** The rental company that issues the statement. */
  readonly author: string
  readonly language: string
  readonly createdAt: Date
}

/** Text on every page in addition to its blocks. */
export interface Margins {
  readonly header: string
  readonly footer: string
  /** Such as `Page 3 of 12`. */
  readonly pageNumber: string
}

type Element = PDFKit.PDFStructureElement

export class TaggedPdf {
  readonly document: PDFKit.PDFDocument
  readonly #root: Element
  #table: { readonly of: Table; readonly element: Element } | undefined

  constructor({ title, author, language, createdAt }: DocumentInfo) {
    const document = new PDFDocument({
      size: [PAPER.width, PAPER.height],
      margin: 0,
      autoFirstPage: false,
      pdfVersion: '1.7',
      subset: 'PDF/UA',
      tagged: true,
      displayTitle: true,
      lang: language,
      fontLayoutCache: false,
      info: {
        Title: forMetadata(title),
        Author: forMetadata(author),
        Creator: 'Cradle',
        Producer: 'Cradle',
        CreationDate: createdAt,
      },
    } as unknown as PDFKit.PDFDocumentOptions)
    for (const { name, source } of [...fontFaces('regular'), ...fontFaces('bold')]) {
      document.registerFont(name, source as unknown as PDFKit.Mixins.PDFFontSource)
    }
    this.document = document
    this.#root = document.struct('Document')
    document.addStructure(this.#root)
  }

  addPage(placed: readonly PlacedBlock[], margins: Margins): void {
    this.document.addPage()
    this.#asArtifact('Pagination', () => this.#drawMargins(margins))
    for (const { piece, top } of placed) this.#addPiece(piece, PAPER.top + top)
  }

  /** The bytes written since the last call. */
  *ready(): Generator<Uint8Array> {
    for (let chunk = this.#read(); chunk !== null; chunk = this.#read()) yield chunk
  }

  #read(): Uint8Array | null {
    return (this.document as unknown as Readable).read() as Uint8Array | null
  }

  end(): void {
    this.#endTable()
    this.#root.end()
    this.document.end()
  }

  #addPiece({ height, backdrop, content, table, bookmark }: Block, top: number): void {
    if (backdrop) this.#asArtifact('Layout', () => backdrop.forEach((shape) => this.#draw(shape, top)))
    if (bookmark) this.document.outline.addItem(bookmark)
    if (!content) return
    const parent = table ? this.#elementOf(table) : this.#root
    if (!table) this.#endTable()
    const element = this.#elementFor(content, top, height)
    parent.add(element)
    element.end()
  }

  #elementOf(table: Table): Element {
    if (this.#table?.of === table) return this.#table.element
    this.#endTable()
    const element = this.document.struct('Table', { title: table.title })
    this.#root.add(element)
    this.#table = { of: table, element }
    return element
  }

  #endTable(): void {
    this.#table?.element.end()
    this.#table = undefined
  }

  #elementFor(
    { tag, alternative, language, scope, shapes = [], children = [] }: Tagged,
    top: number,
    height: number,
  ): Element {
    const options = {
      ...(alternative ? { alt: alternative } : {}),
      ...(language ? { lang: language } : {}),
      ...(scope ? { scope } : {}),
      ...(tag === 'Figure' ? { bbox: [PAPER.left, top, PAPER.left + BODY_WIDTH, top + height] } : {}),
    }
    const drawing = (): void => shapes.forEach((shape) => this.#draw(shape, top))
    const inside = children.map((child) => this.#elementFor(child, top, height))
    return this.document.struct(tag, options, children.length > 0 ? inside : [drawing])
  }

  #asArtifact(type: 'Pagination' | 'Layout', draw: () => void): void {
    this.document.markContent('Artifact', { type })
    draw()
    this.document.endMarkedContent()
  }

  #drawMargins({ header, footer, pageNumber }: Margins): void {
    const size = SIZES.small
    const put = (text: string, isRight: boolean, y: number): void => {
      const line = breakLines(text, 'regular', size, BODY_WIDTH, 1)[0]!
      const x = isRight ? BODY_WIDTH - line.width * size : 0
      this.#drawText({ kind: 'text', line, x, baseline: y, size, color: COLOURS.quiet }, 0)
    }
    put(header, false, 40)
    put(footer, false, PAPER.height - 32)
    put(pageNumber, true, PAPER.height - 32)
  }

  #draw(shape: Shape, top: number): void {
    if (shape.kind === 'text') return this.#drawText(shape, top)
    if (shape.kind === 'box') return this.#drawBox(shape, top)
    const [[x1, y1], [x2, y2]] = [shape.from, shape.to]
    this.document
      .lineWidth(shape.width)
      .moveTo(PAPER.left + x1, top + y1)
      .lineTo(PAPER.left + x2, top + y2)
      .stroke(shape.color)
  }

  #drawText({ line, x, baseline, size, color }: TextShape, top: number): void {
    if (line.reads !== undefined) this.document.markContent('Span', { actual: line.reads })
    this.document.fillColor(color)
    let left = PAPER.left + x
    for (const { text, face, width } of line.runs) {
      this.#drawRun(text, face, size, left, top + baseline)
      left += width * size
    }
    if (line.reads !== undefined) this.document.endMarkedContent()
  }

  #drawRun(text: string, { name }: FontFace, size: number, x: number, y: number): void {
    if (text === '') return
    this.document.font(name, size)
    // With a list of features, even an empty one, pdfkit shapes the complete run instead of single words.
    this.document.text(text, x, y, { lineBreak: false, baseline: 'alphabetic', features: [] })
  }

  #drawBox({ x, y, width, height, color, pattern }: BoxShape, top: number): void {
    const [left, upper] = [PAPER.left + x, top + y]
    this.document.rect(left, upper, width, height).fill(color)
    if (pattern === 'solid' || width <= 0 || height <= 0) return
    this.document.save().rect(left, upper, width, height).clip()
    hatch(this.document, pattern, left, upper, width, height)
    this.document.restore()
  }
}

/** Draws white strokes over the colour. */
function hatch(
  document: PDFKit.PDFDocument,
  pattern: BoxShape['pattern'],
  left: number,
  top: number,
  width: number,
  height: number,
): void {
  const step = 4
  if (pattern === 'dots') {
    for (let y = top + step / 2; y < top + height + step; y += step) {
      for (let x = left + step / 2; x < left + width + step; x += step) document.circle(x, y, 0.8)
    }
    document.fill('#ffffff')
    return
  }
  if (pattern === 'diagonal') {
    for (let x = left - height; x < left + width; x += step) {
      document.moveTo(x, top + height).lineTo(x + height, top)
    }
  } else {
    for (let y = top + step / 2; y < top + height; y += step) document.moveTo(left, y).lineTo(left + width, y)
  }
  document.lineWidth(0.7).stroke('#ffffff')
}

/** Escapes text because pdfkit copies the title into XML unchanged. */
const forMetadata = (text: string): string =>
  text
    .toWellFormed()
    .replace(/\p{C}+/gu, ' ')
    .replace(/[<>&]/g, (sign) => ({ '<': '‹', '>': '›', '&': '＆' })[sign]!)
