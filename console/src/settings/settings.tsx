// Keys, settings, webhooks and PACT clients of the account, for its admins.
import { Route, Switch, useRoute } from 'wouter'
import { Tabs } from '../components/tabs.tsx'
import { GridSeries } from '../dataset-releases/grid-series.tsx'
import { Releases } from '../dataset-releases/releases.tsx'
import { DemoFleet } from '../demo/demo-fleet.tsx'
import { Page } from '../layout/page.tsx'
import { useMessages } from '../i18n/language.tsx'
import { PactClients } from '../pact-clients/pact-clients.tsx'
import { useSession } from '../session/session.tsx'
import { Checks } from './checks.tsx'
import { ClosedPeriods } from './closed-periods.tsx'
import { Defaults } from './defaults.tsx'
import { Keys } from './keys.tsx'
import de from './messages.de.json'
import en from './messages.en.json'
import { Service } from './service.tsx'
import { StatementKey } from './statement-key.tsx'
import { WebhookList } from '../webhooks/webhook-list.tsx'
import { WebhookPage } from '../webhooks/webhook-page.tsx'
import './settings.css'

const PARTS = [
  { path: '/settings', name: 'account', title: 'title', lead: 'lead', Content: AccountSettings },
  { path: '/settings/webhooks', name: 'webhooks', title: 'part-webhooks', lead: 'webhooksLead', Content: WebhookList },
  { path: '/settings/pact', name: 'pact', title: 'part-pact', lead: 'pactLead', Content: PactClients },
] as const

export const Settings = () => (
  <Switch>
    <Route path="/settings/webhooks/:id">{({ id }) => <WebhookPage key={id} id={id} />}</Route>
    <Route>
      <SettingsParts />
    </Route>
  </Switch>
)

function SettingsParts() {
  const t = useMessages({ en, de })
  const { account, pactUrl } = useSession()
  const parts = PARTS.filter(({ name }) => name !== 'pact' || pactUrl !== null)
  const [, parameters] = useRoute('/settings/:part')
  const part = parts.find(({ name }) => name === parameters?.part) ?? PARTS[0]
  return (
    <Page title={t(part.title)} lead={t(part.lead, { account })}>
      <Tabs
        name={t('parts')}
        tabs={parts.map(({ path, name }) => ({ path, label: t(`part-${name}`), isHere: name === part.name }))}
      />
      <part.Content />
    </Page>
  )
}

function AccountSettings() {
  return (
    <div className="stack">
      <Keys />
      <Defaults />
      <Checks />
      <Releases />
      <GridSeries />
      <ClosedPeriods />
      <div className="settings-pair">
        <StatementKey />
        <Service />
      </div>
      <DemoFleet />
    </div>
  )
}
