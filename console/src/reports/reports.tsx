// Reports: built, downloaded, judged by how well things are known, and handed to customers as statements.
import { useRoute } from 'wouter'
import { Tabs } from '../components/tabs.tsx'
import { Page } from '../layout/page.tsx'
import { useMessages } from '../i18n/language.tsx'
import { Build } from './report-builder.tsx'
import { Electricity } from './electricity.tsx'
import { Exports } from './exports.tsx'
import de from './messages.de.json'
import en from './messages.en.json'
import { Quality } from './quality.tsx'
import { Statements } from './statements.tsx'
import './reports.css'

const TABS = [
  { path: '/reports', name: 'build', Content: Build },
  { path: '/reports/quality', name: 'quality', Content: Quality },
  { path: '/reports/statements', name: 'statements', Content: Statements },
  { path: '/reports/electricity', name: 'electricity', Content: Electricity },
  { path: '/reports/exports', name: 'exports', Content: Exports },
] as const

export function Reports() {
  const t = useMessages({ en, de })
  const [, parameters] = useRoute('/reports/:tab')
  const tab = TABS.find(({ name }) => name === parameters?.tab) ?? TABS[0]
  return (
    <Page title={t(tab.name)} lead={t(`${tab.name}Lead`)}>
      <Tabs
        name={t('reports')}
        tabs={TABS.map(({ path, name }) => ({ path, label: t(name), isHere: name === tab.name }))}
      />
      <tab.Content />
    </Page>
  )
}
