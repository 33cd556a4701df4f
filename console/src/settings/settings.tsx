// Keys and settings of the account, for its admins.
import { Releases } from '../dataset-releases/releases.tsx'
import { DemoFleet } from '../demo/demo-fleet.tsx'
import { Page } from '../layout/page.tsx'
import { useMessages } from '../i18n/language.tsx'
import { useSession } from '../session/session.tsx'
import { Checks } from './checks.tsx'
import { ClosedPeriods } from './closed-periods.tsx'
import { Defaults } from './defaults.tsx'
import { Keys } from './keys.tsx'
import de from './messages.de.json'
import en from './messages.en.json'
import { Service } from './service.tsx'
import { StatementKey } from './statement-key.tsx'
import './settings.css'

export function Settings() {
  const t = useMessages({ en, de })
  const { account } = useSession()
  return (
    <Page title={t('title')} lead={t('lead', { account })}>
      <div className="stack">
        <Keys />
        <Defaults />
        <Checks />
        <Releases />
        <ClosedPeriods />
        <div className="settings-pair">
          <StatementKey />
          <Service />
        </div>
        <DemoFleet />
      </div>
    </Page>
  )
}
