// The pages that there are, in the sequence of the navigation; each is loaded when it is opened.
import { lazy, type ComponentType } from 'react'
import type { PageSegment } from './page-segments.ts'

export interface PageEntry {
  readonly path: '/' | `/${PageSegment}`
  /** Its name in the navigation, a key of the frame's messages. */
  readonly name:
    'overview' | 'orders' | 'devices' | 'catalogue' | 'matching' | 'estimate' | 'import' | 'reports' | 'settings'
  /** Shown only to keys that may read what is on it. */
  readonly scope: 'orders:read' | 'orders:write' | 'catalogue:read' | 'admin'
  readonly Page: ComponentType
}

export const PAGES: readonly PageEntry[] = [
  {
    path: '/catalogue',
    name: 'catalogue',
    scope: 'catalogue:read',
    Page: lazy(async () => ({ default: (await import('./catalogue/catalogue.tsx')).Catalogue })),
  },
  {
    path: '/estimate',
    name: 'estimate',
    scope: 'orders:read',
    Page: lazy(async () => ({ default: (await import('./estimate/estimate.tsx')).Estimate })),
  },
  {
    path: '/import',
    name: 'import',
    scope: 'orders:read',
    Page: lazy(async () => ({ default: (await import('./import/import.tsx')).Import })),
  },
]
