// XML as it streams by: names without their prefix, no document type, and so no entity but the five that XML has.
import { SaxesParser } from 'saxes'
import { UnreadableFile } from './row.ts'

export interface XmlHandlers {
  readonly open: (name: string, attributes: Readonly<Record<string, string>>) => void
  readonly text?: (text: string) => void
  readonly close?: (name: string) => void
}

/** Hands on what the pieces hold; yields after each of them. */
export async function* parseXml(
  pieces: AsyncIterable<Buffer>,
  { open, text, close }: XmlHandlers,
): AsyncGenerator<void> {
  const parser = new SaxesParser<{ xmlns: false; position: false }>({ xmlns: false, position: false })
  const decoder = new TextDecoder()
  parser.on('error', ({ message }) => {
    throw new UnreadableFile(`The XLSX file is damaged: ${message}`)
  })
  parser.on('doctype', () => {
    throw new UnreadableFile('The XLSX file has a document type, which no spreadsheet writes')
  })
  parser.on('opentag', ({ name, attributes }) => open(localName(name), attributes))
  if (text) parser.on('text', text)
  if (text) parser.on('cdata', text)
  if (close) parser.on('closetag', ({ name }) => close(localName(name)))
  for await (const piece of pieces) {
    parser.write(decoder.decode(piece, { stream: true }))
    yield
  }
  parser.close()
}

/** Hands on all that the pieces hold. */
export async function parseWholeXml(pieces: AsyncIterable<Buffer>, handlers: XmlHandlers): Promise<void> {
  const parsing = parseXml(pieces, handlers)
  while (!(await parsing.next()).done);
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1)
