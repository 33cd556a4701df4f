// What stands here before the first order: the ways to figures.
import { useQueryClient } from '@tanstack/react-query'
import { Link } from 'wouter'
import { CodeToCopy } from '../components/copyable-code.tsx'
import { DemoOffer } from '../demo/demo-fleet.tsx'
import { useMessages } from '../i18n/language.tsx'
import { firstOrderCommand } from './first-order.ts'
import de from './messages.de.json'
import en from './messages.en.json'

export function EmptyAccount() {
  const t = useMessages({ en, de })
  const client = useQueryClient()
  return (
    <div className="stack">
      <div>
        <h2>{t('emptyTitle')}</h2>
        <p className="lead">{t('emptyLead')}</p>
      </div>
      <DemoOffer />
      <div className="overview-ways">
        <section className="card">
          <h3>{t('importTitle')}</h3>
          <p>{t('importHelp')}</p>
          <Link className="button button-primary" href="/import">
            {t('importLink')}
          </Link>
        </section>
        <section className="card">
          <h3>{t('tryTitle')}</h3>
          <p>{t('tryHelp')}</p>
          <Link className="button" href="/estimate">
            {t('tryLink')}
          </Link>
        </section>
        <section className="card overview-wide">
          <h3>{t('postTitle')}</h3>
          <p>{t('postHelp')}</p>
          <CodeToCopy code={firstOrderCommand(location.origin)} />
          <p>
            <button className="button" onClick={() => void client.invalidateQueries({ queryKey: ['report'] })}>
              {t('refresh')}
            </button>
          </p>
        </section>
      </div>
    </div>
  )
}
