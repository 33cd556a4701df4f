// /api/dataset-releases: the releases that an account may pin, and the figures that differ between two of them.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { FIGURE_KINDS, countChanges, type ReleaseDifference } from '../../engine/reference/release-difference.ts'
import { METHOD_VERSION } from '../../engine/explanation/calculation.ts'
import type { ReferenceData } from '../../engine/reference/reference-data.ts'
import { ApiError, invalidRequest } from '../../contract/errors.ts'
import { schemaRef } from '../../contract/named-schema.ts'
import { ROUTE_MESSAGES } from '../messages.ts'
import { LINK, numberCursor, nextPage, oneOf, pageLimit, parseQuery, repeatedText } from '../parameters.ts'
import type { RouteDefinition } from '../route-definition.ts'
import {
  DatasetReleases,
  ReleaseChanges,
  printChange,
  printRelease,
  printSeries,
  type Release,
} from '../schemas/dataset-release.ts'

export interface DatasetReleasesContext {
  readonly releases: {
    /** The latest to come first. */
    readonly list: () => Promise<readonly Release[]>
    /** By the ids of two releases that exist. */
    readonly compare: (from: number, to: number) => Promise<ReleaseDifference>
  }
  /** The release that is shipped with the program. */
  readonly referenceData: ReferenceData
}

const PATH = '/api/dataset-releases'
const [LIMIT_MAX, LIMIT_DEFAULT] = [1000, 100]
const [OLDER, NEWER] = ['2026.11-1b2c3d4e', '2026.12-0a1b2c3d']
const KEY = 'grid_factor/DE/2022/factor_kg_co2e_per_kwh'

const SERIES = {
  id: 'ember-generation',
  name: 'Ember: what countries generate',
  is_default: true,
  electricity: 'generation',
  upstream: true,
  losses: false,
  method_version: 'since February 2024',
  published_on: '2025-08-03',
  years: [2022, 2023, 2024],
  number_of_countries: 208,
  source: {
    title: 'Yearly average carbon intensity of the electricity that a country generates, through @tgwf/co2 0.19.0',
    publisher: 'Ember',
    year: null,
    url: 'https://ember-climate.org/data/data-explorer/',
    licence: 'CC-BY-SA-4.0',
  },
}

const LIST_EXAMPLE = {
  method_version: METHOD_VERSION,
  dataset_releases: [
    {
      id: NEWER,
      created_at: '2026-12-01T10:00:00.000Z',
      installed_at: '2026-12-01T10:00:00.000Z',
      parent: OLDER,
      content_sha256: '0a1b2c3d'.repeat(8),
      is_newest: true,
      number_of_figures: { model: 7000, grid_factor: 432 },
    },
  ],
  grid_series: [SERIES],
}

const PARAMETERS = {
  to: repeatedText('The release to compare with. Default: the newest.'),
  kind: oneOf('Kinds of figures, comma-separated or repeated.', FIGURE_KINDS),
  limit: pageLimit('figures', LIMIT_MAX, LIMIT_DEFAULT),
}

export const datasetReleaseOperations = (context: DatasetReleasesContext): readonly RouteDefinition[] => [
  {
    id: 'listDatasetReleases',
    method: 'GET',
    path: PATH,
    summary: 'List dataset releases',
    description:
      'Returns the releases of the figures that this service has: those that were shipped with it and those that its ' +
      'operator installed. `dataset_release` of the account says which one its new orders are made with.',
    tag: 'Catalogue',
    scope: 'catalogue:read',
    query: {},
    answer: {
      description: 'The releases.',
      schema: schemaRef(DatasetReleases),
      example: LIST_EXAMPLE,
    },
    failures: ['invalid_request'],
    handle: async (request, reply) => {
      parseQuery(request.query, {})
      const all = await context.releases.list()
      const series = [...context.referenceData.gridSeries.values()]
      return reply.send({
        method_version: METHOD_VERSION,
        dataset_releases: all.map(printRelease),
        grid_series: series.map(printSeries),
      })
    },
  },
  {
    id: 'listReleaseChanges',
    method: 'GET',
    path: `${PATH}/{release_id}/changes`,
    summary: 'List figures that differ between two releases',
    description:
      'Returns the figures that were added, removed or changed from one release to another, with the old and the new ' +
      'figure. Stored orders keep the figures of their release.',
    tag: 'Catalogue',
    scope: 'catalogue:read',
    pathParameters: { release_id: { description: 'Id of the first release.', example: OLDER } },
    query: { ...PARAMETERS, cursor: cursorOf('', '', '').parameter },
    answer: {
      description: 'The figures that differ.',
      schema: schemaRef(ReleaseChanges),
      example: {
        from: OLDER,
        to: NEWER,
        number_of_changes: { grid_factor: { added: 0, removed: 0, changed: 1 } },
        other_files: [],
        changes: [{ kind: 'grid_factor', key: KEY, change: 'changed', old: 0.38539, new: 0.42006, percent: 9 }],
      },
      headers: LINK,
    },
    failures: ['invalid_request', 'not_found'],
    handle: (request, reply) => listChanges(context, request, reply),
  },
]

/** A cursor counts the figures of the pages before: what differs between two releases never changes. */
function cursorOf(from: string, to: unknown, kind: unknown) {
  return numberCursor(['release-changes', from, textOf(to), textOf(kind).toLowerCase()])
}

/** A list parameter may be repeated, or have its values separated by commas. */
const textOf = (sent: unknown): string =>
  Array.isArray(sent) ? sent.map(String).join(',') : typeof sent === 'string' ? sent : ''

async function listChanges({ releases }: DatasetReleasesContext, request: FastifyRequest, reply: FastifyReply) {
  const { release_id: sent } = request.params as { readonly release_id: string }
  const { to: other, kind } = request.query as Readonly<Record<string, unknown>>
  const cursor = cursorOf(sent, other, kind)
  const query = parseQuery(request.query, { ...PARAMETERS, cursor: cursor.parameter })
  const all = await releases.list()
  const from = all.find(({ name }) => name === sent)
  if (!from) throw new ApiError('not_found', ROUTE_MESSAGES.release_not_installed({ release: sent.slice(0, 80) }))
  const name = query['to']?.[0] ?? all.find(({ isNewest }) => isNewest)!.name
  const to = all.find((release) => release.name === name)
  if (!to) throw unknownRelease('?to', name)
  const { changes, otherFiles } = await releases.compare(from.releaseId, to.releaseId)
  const wanted = query['kind'] ? changes.filter((one) => query['kind']!.includes(one.kind)) : changes
  const begin = query['cursor'] ? cursor.read(query['cursor'][0]!)! : 0
  const end = begin + Number(query['limit']?.[0] ?? LIMIT_DEFAULT)
  if (wanted.length > end) {
    // A later page must not compare with a release that was installed meanwhile.
    const next = cursorOf(from.name, to.name, kind).write(end)
    void reply.header('link', nextPage(`${PATH}/${from.name}/changes`, { ...query, to: [to.name] }, next))
  }
  return reply.send({
    from: from.name,
    to: to.name,
    number_of_changes: countChanges(wanted),
    other_files: otherFiles,
    changes: wanted.slice(begin, end).map(printChange),
  })
}

/** Of a release that a request names. */
export const unknownRelease = (path: string, release: string): ApiError =>
  invalidRequest([{ path, ...ROUTE_MESSAGES.release_not_installed({ release: release.slice(0, 80) }) }])
