// The pages that there are, in the sequence of the navigation. The first comes at once, in few files, as it is seen
// first; each other is loaded when it is opened.
import { lazy, type ComponentType } from 'react'
import { Overview } from './overview/overview.tsx'
import type { PageSegment } from './routes.ts'

export interface PageEntry {
  readonly path: '/' | `/${PageSegment}`
  /** Its name in the navigation, a key of the frame's messages. */
  readonly name:
    | 'overview'
    | 'orders'
    | 'devices'
    | 'catalogue'
    | 'matching'
    | 'estimate'
    | 'import'
    | 'reports'
    | 'restatements'
    | 'settings'
  /** Shown only to keys that may read what is on it. */
  readonly scope: 'orders:read' | 'orders:write' | 'catalogue:read' | 'admin'
  readonly Page: ComponentType
}

export const PAGES: readonly PageEntry[] = [
  {
    path: '/',
    name: 'overview',
    scope: 'orders:read',
    Page: Overview,
  },
  {
    path: '/orders',
    name: 'orders',
    scope: 'orders:read',
    Page: lazy(async () => ({ default: (await import('./orders/orders.tsx')).Orders })),
  },
  {
    path: '/devices',
    name: 'devices',
    scope: 'orders:read',
    Page: lazy(async () => ({ default: (await import('./devices/devices.tsx')).Devices })),
  },
  {
    path: '/catalogue',
    name: 'catalogue',
    scope: 'catalogue:read',
    Page: lazy(async () => ({ default: (await import('./catalogue/catalogue.tsx')).Catalogue })),
  },
  {
    path: '/matching',
    name: 'matching',
    scope: 'orders:read',
    Page: lazy(async () => ({ default: (await import('./matching/matching.tsx')).Matching })),
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
  {
    path: '/reports',
    name: 'reports',
    scope: 'orders:read',
    Page: lazy(async () => ({ default: (await import('./reports/reports.tsx')).Reports })),
  },
  {
    path: '/restatements',
    name: 'restatements',
    scope: 'orders:read',
    Page: lazy(async () => ({ default: (await import('./restatements/restatements.tsx')).RestatementPages })),
  },
  {
    path: '/settings',
    name: 'settings',
    scope: 'admin',
    Page: lazy(async () => ({ default: (await import('./settings/settings.tsx')).Settings })),
  },
]
