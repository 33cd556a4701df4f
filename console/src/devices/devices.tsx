// Devices: the list of them, or the life of one.
import { useLocation } from 'wouter'
import { Page } from '../layout/page.tsx'
import { useMessages } from '../i18n/language.tsx'
import { serialOfPath } from './device-path.ts'
import { DeviceList } from './device-list.tsx'
import { DevicePage } from './device-page.tsx'
import de from './messages.de.json'
import en from './messages.en.json'
import './devices.css'

export function Devices() {
  const t = useMessages({ en, de })
  useLocation()
  const serial = serialOfPath(location.pathname)
  if (serial !== null) return <DevicePage key={serial} serial={serial} />
  return (
    <Page title={t('devices')} lead={t('devicesLead')}>
      <DeviceList />
    </Page>
  )
}
