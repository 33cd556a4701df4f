// Renders a statement as a PDF, page by page. The same statement always produces the same bytes.
import { coverBlocks, type RenderContext } from './cover.ts'
import type { StatementModel } from './model.ts'
import { categoryBlocks, earlierYearBlocks, modelBlocks, monthBlocks, qualityBlocks } from './emission-sections.ts'
import { BODY_HEIGHT, MESSAGES, type Language } from './theme.ts'
import { Numbers } from './number-format.ts'
import { paginate } from './paginate.ts'
import { TaggedPdf } from './tagged-pdf.ts'
import type { Block } from './layout.ts'
import { deviceBlocks, methodBlocks, sourceBlocks, verificationBlocks } from './record-sections.ts'

function* allPieces(context: RenderContext): Generator<Block> {
  yield* coverBlocks(context)
  yield* categoryBlocks(context)
  yield* monthBlocks(context)
  yield* earlierYearBlocks(context)
  yield* modelBlocks(context)
  yield* qualityBlocks(context)
  yield* deviceBlocks(context)
  yield* sourceBlocks(context)
  yield* methodBlocks(context)
  yield* verificationBlocks(context)
}

/** Yields the available bytes after each page, so that at most one page is held in memory. */
export function* renderStatementPdf(digest: StatementModel, language: Language): Generator<Uint8Array> {
  const { customer_id: customer, year, issuer, issued, hash } = digest
  const messages = MESSAGES[language]
  const pages = () => paginate(allPieces({ digest, messages, numbers: new Numbers(language) }), BODY_HEIGHT)
  // The layout runs twice because the first page already shows the number of pages.
  const count = pages().reduce((sum) => sum + 1, 0)
  const pdf = new TaggedPdf({
    title: messages.title(customer, year),
    author: issuer.account,
    language,
    createdAt: new Date(issued.at),
  })
  let number = 0
  for (const page of pages()) {
    number++
    pdf.addPage(page, {
      header: number === 1 ? '' : messages.header(customer, year, issuer.account),
      footer: messages.footer(hash.value),
      pageNumber: messages.page(number, count),
    })
    yield* pdf.ready()
  }
  pdf.end()
  yield* pdf.ready()
}
