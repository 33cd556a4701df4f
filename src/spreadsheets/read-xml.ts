// Parses XML as a stream: names without prefix, no document type, and so only the five predefined entities.
import { SaxesParser } from 'saxes'
import type { Message } from '../engine/message.ts'
import { XML_ATTRIBUTES_MAX, XML_DEPTH_MAX, XML_TOKEN_LENGTH_MAX } from './limits.ts'
import { FILE_MESSAGES, shownCause } from './messages.ts'
import { UnreadableFile } from './row.ts'
import { yieldToEventLoop } from './byte-source.ts'

export interface XmlHandlers {
  readonly open: (name: string, attributes: Readonly<Record<string, string>>) => void
  readonly text?: (text: string) => void
  readonly close?: (name: string) => void
}

/** Characters parsed per step. Even this few may refer to megabytes of text. */
const SLICE_LENGTH = 4096

/** Parses the pieces a few thousand characters at a time, and yields after each step. */
export async function* parseXml(pieces: AsyncIterable<Buffer>, handlers: XmlHandlers): AsyncGenerator<void> {
  const parser = createParser(handlers)
  const decoder = new TextDecoder()
  for await (const piece of pieces) {
    const text = decoder.decode(piece, { stream: true })
    for (let at = 0; at < text.length; at += SLICE_LENGTH) {
      parser.write(text.slice(at, at + SLICE_LENGTH))
      yield
    }
    await yieldToEventLoop()
  }
  parser.close()
}

/** Parses all pieces. */
export async function parseWholeXml(pieces: AsyncIterable<Buffer>, handlers: XmlHandlers): Promise<void> {
  const parsing = parseXml(pieces, handlers)
  while (!(await parsing.next()).done);
}

/**
 * The parser stores every open element and the text since the last tag, so both are limited. It has seven handlers:
 * with an eighth, V8 would look up the properties of its object by name, which is ten times as slow.
 */
function createParser({ open, text, close }: XmlHandlers) {
  const parser = new SaxesParser<{ xmlns: false; position: false }>({ xmlns: false, position: false })
  let [depth, attributesOfTag, sinceTag] = [0, 0, 0]
  parser.on('error', ({ message }) => {
    throw new UnreadableFile(FILE_MESSAGES.xlsx_damaged({ cause: shownCause(message) }))
  })
  parser.on('doctype', () => {
    throw new UnreadableFile(FILE_MESSAGES.xml_document_type())
  })
  parser.on('attribute', () => {
    attributesOfTag += 1
    if (attributesOfTag > XML_ATTRIBUTES_MAX) throw exceeding(FILE_MESSAGES.xml_too_many_attributes, XML_ATTRIBUTES_MAX)
  })
  parser.on('opentag', ({ name, attributes, isSelfClosing }) => {
    attributesOfTag = 0
    sinceTag = 0
    if (!isSelfClosing) depth += 1
    if (depth > XML_DEPTH_MAX) throw exceeding(FILE_MESSAGES.xml_too_deep, XML_DEPTH_MAX)
    open(localName(name), attributes)
  })
  parser.on('closetag', ({ name, isSelfClosing }) => {
    sinceTag = 0
    if (!isSelfClosing) depth -= 1
    close?.(localName(name))
  })
  if (text) parser.on('text', text)
  if (text) parser.on('cdata', text)
  const write = (slice: string): void => {
    sinceTag += slice.length
    if (sinceTag > XML_TOKEN_LENGTH_MAX) throw exceeding(FILE_MESSAGES.xml_token_too_long, XML_TOKEN_LENGTH_MAX)
    parser.write(slice)
  }
  return { write, close: () => parser.close() }
}

const exceeding = (message: (params: { readonly max: number }) => Message, max: number): UnreadableFile =>
  new UnreadableFile(message({ max }))

const localName = (name: string): string => name.slice(name.indexOf(':') + 1)
