// A file to begin with: the columns of a layout, and rows that import as they are.
import Type from 'typebox'
import { LAYOUTS, type Layout } from '../../tables/columns.ts'
import { templateOf } from '../../tables/templates.ts'
import { ApiError } from '../requests/failure.ts'
import type { RouteDefinition } from '../serving/operation.ts'
import { parseQuery } from '../requests/query.ts'

const CSV = 'text/csv'

export const templateOperation: RouteDefinition = {
  id: 'getImportTemplate',
  method: 'GET',
  path: '/api/import-templates/{layout}',
  summary: 'A file to begin with',
  description:
    'A header with all columns, and rows that import as they are. `items`: a row an item; `orders`: an order.',
  tag: 'Imports',
  scope: 'catalogue:read',
  pathParameters: { layout: { description: 'items or orders.', example: 'items' } },
  query: {},
  answer: {
    mediaType: CSV,
    description: 'The file.',
    schema: Type.String(),
    example: templateOf('items').slice(0, 200),
    headers: { 'Content-Disposition': 'What to call the file.' },
  },
  failures: ['invalid_request', 'not_found'],
  handle: (request, reply) => {
    parseQuery(request.query, {})
    const { layout } = request.params as { readonly layout: string }
    if (!(LAYOUTS as readonly string[]).includes(layout)) {
      const message = `There are templates for ${LAYOUTS.join(' and ')}, not for "${layout.slice(0, 40)}"`
      throw new ApiError('not_found', message)
    }
    return reply
      .header('content-disposition', `attachment; filename="cradle-${layout}.csv"`)
      .type(CSV)
      .send(templateOf(layout as Layout))
  },
}
