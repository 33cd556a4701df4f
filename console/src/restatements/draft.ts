// A restatement as it is filled in, and as it is sent.
import type { RestatementParams } from './use-restatements.ts'

export const SCOPES = ['all', 'products', 'models', 'devices', 'import'] as const
export type ScopeKind = (typeof SCOPES)[number]

export interface Draft {
  readonly scope: ScopeKind
  /** One a line; of an import, its number. */
  readonly ids: string
  /** YYYY-MM-DD; '' for all days. */
  readonly from: string
  readonly mappings: boolean
  readonly own: boolean
  readonly byRelease: boolean
  readonly release: string
  readonly reason: string
}

const linesOf = (text: string): readonly string[] => [
  ...new Set(
    text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== ''),
  ),
]

export const isComplete = ({ scope, ids, mappings, own, byRelease, release, reason }: Draft): boolean =>
  (scope === 'all' || linesOf(ids).length > 0) && (byRelease ? release !== '' : mappings || own) && reason.trim() !== ''

function scopeOf({ scope, ids }: Draft): RestatementParams['scope'] {
  const lines = [...linesOf(ids)]
  switch (scope) {
    case 'all':
      return {}
    case 'products':
      return { product_ids: lines }
    case 'models':
      return { model_ids: lines }
    case 'devices':
      return { serial_numbers: lines }
    case 'import':
      return { import_id: Number(ids) }
  }
}

export const toParams = (draft: Draft): RestatementParams => ({
  scope: { ...scopeOf(draft), ...(draft.from !== '' && { tenure_start_from: draft.from }) },
  figures: {
    ...(draft.mappings && { mappings: 'current' }),
    ...(draft.own && { own: 'current' }),
    ...(draft.byRelease && { release: draft.release }),
  },
  reason: draft.reason.trim(),
})
