// Own figures of a kind: listed, stored, withdrawn, and stored from a file.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api, read } from '../api/client.ts'
import type { FigureKind } from './kinds.ts'

/** A figure with its members, in the version that new orders use. */
export interface OwnFigure extends Readonly<Record<string, unknown>> {
  readonly id: string
  readonly version: number
  readonly created_at: string
}

export type Body = Readonly<Record<string, unknown>>

/** The operations of all kinds are alike but for the members of their figures, which the fields of a kind name. */
const tablesOf = ({ path }: FigureKind) => path as '/api/device-models'
const onesOf = ({ path }: FigureKind) => `${path}/{id}` as '/api/device-models/{id}'

const readFigures = (kind: FigureKind, signal: AbortSignal): Promise<readonly OwnFigure[]> =>
  read(api.GET(kind.listPath as '/api/device-models', { signal }))

export const useFigures = (kind: FigureKind) =>
  useQuery({ queryKey: ['own-figures', kind.name], queryFn: ({ signal }) => readFigures(kind, signal) })

const tagOf = ({ version }: OwnFigure): string => `"${version}"`

interface Change {
  readonly id: string
  readonly body: Body
}

/** Catalogue, matches and estimates are others from then on. */
function useRefresh() {
  const client = useQueryClient()
  return () => client.invalidateQueries()
}

/** @param replaced the version that is replaced, and no later one; null for a figure that is new */
export function useStoring(kind: FigureKind, replaced: OwnFigure | null, onDone: (id: string) => void) {
  const refresh = useRefresh()
  const header = replaced === null ? {} : { 'If-Match': tagOf(replaced) }
  return useMutation({
    mutationFn: ({ id, body }: Change) =>
      read(api.PUT(onesOf(kind), { params: { path: { id }, header }, body: body as never })),
    onSuccess: async (_, { id }) => {
      onDone(id)
      await refresh()
    },
  })
}

export function useWithdrawal(kind: FigureKind, figure: OwnFigure, onDone: () => void) {
  const refresh = useRefresh()
  const params = { path: { id: figure.id }, header: { 'If-Match': tagOf(figure) } }
  return useMutation({
    mutationFn: () => read(api.DELETE(onesOf(kind), { params })),
    onSuccess: async () => {
      onDone()
      await refresh()
    },
  })
}

/** Stores all rows of a file or none. */
export function useTableImport(kind: FigureKind, onDone: (figures: number, changes: number) => void) {
  const refresh = useRefresh()
  return useMutation({
    mutationFn: async ({ file, hasNewVersions }: { readonly file: File; readonly hasNewVersions: boolean }) =>
      read(
        api.POST(tablesOf(kind), {
          params: { query: hasNewVersions ? { new_versions: true } : {} },
          body: await file.text(),
          bodySerializer: (text: string) => text,
          headers: { 'Content-Type': 'text/csv' },
        }),
      ),
    onSuccess: async ({ number_of_figures: figures, number_of_changes: changes }) => {
      onDone(figures, changes)
      await refresh()
    },
  })
}
