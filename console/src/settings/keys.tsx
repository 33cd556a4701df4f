// The keys of the account: listed with their last use, made, revoked.
import { useRef, useState } from 'react'
import { useCursorPages } from '../api/cursor-pages.ts'
import { DataTable, type Column } from '../components/data-table.tsx'
import { useFilters } from '../components/filters.ts'
import { Empty, Loaded } from '../components/loading-and-error.tsx'
import { useFormat } from '../i18n/format.ts'
import { useMessages } from '../i18n/language.tsx'
import { CreateKey } from './create-key.tsx'
import { hasExpired, useKeys, type Key } from './key-list.ts'
import de from './messages.de.json'
import en from './messages.en.json'
import { RevokeKey } from './revoke-key.tsx'

export function Keys() {
  const t = useMessages({ en, de })
  const { filters, setFilters } = useFilters(['ended'])
  const { cursor, pagingTo } = useCursorPages()
  const [isMaking, setMaking] = useState(false)
  const [revokingId, setRevokingId] = useState<number | null>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const keys = useKeys(filters.ended !== 'true', cursor)
  // When it was last used decides: that is asked for anew.
  const columns = useColumns(({ key_id: id }) => {
    setRevokingId(id)
    void keys.refetch()
  })
  const revoking = keys.data?.data.find(({ key_id: id }) => id === revokingId)
  return (
    <section className="section" aria-labelledby="keys">
      <div className="row settings-top">
        <h2 id="keys" ref={heading} tabIndex={-1}>
          {t('keys')}
        </h2>
        <label className="settings-check">
          <input
            type="checkbox"
            checked={filters.ended === 'true'}
            onChange={({ target }) => setFilters({ ended: target.checked ? 'true' : '' })}
          />
          {t('showEnded')}
        </label>
        <button className="button button-primary" onClick={() => setMaking(true)}>
          {t('createKey')}
        </button>
      </div>
      <p className="lead">{t('keysLead')}</p>
      <Loaded query={keys}>
        {({ data, next }) =>
          data.length === 0 ? (
            <Empty title={t('noKeys')}>
              <p>{t('noKeysHelp')}</p>
            </Empty>
          ) : (
            <DataTable
              caption={t('keys')}
              columns={columns}
              rows={data}
              keyOf={({ key_id: id }) => String(id)}
              paging={pagingTo(next)}
            />
          )
        }
      </Loaded>
      {isMaking && <CreateKey onClose={() => setMaking(false)} />}
      {revoking && (
        <RevokeKey apiKey={revoking} onClose={() => setRevokingId(null)} onRevoked={() => heading.current?.focus()} />
      )}
    </section>
  )
}

function useColumns(onRevoke: (key: Key) => void): readonly Column<Key>[] {
  const t = useMessages({ en, de })
  const { time } = useFormat()
  const ends = (key: Key) => {
    if (key.revoked_at !== null) return t('revokedAt', { time: time(key.revoked_at) })
    if (key.expires_at === null) return t('noEnd')
    return t(hasExpired(key) ? 'expiredAt' : 'expiresAt', { time: time(key.expires_at) })
  }
  return [
    { key: 'label', header: t('label'), isName: true, cell: (key) => <KeyName apiKey={key} /> },
    {
      key: 'scopes',
      header: t('scopes'),
      cell: ({ scopes }) => (
        <span className="tags">
          {scopes.map((scope) => (
            <code key={scope} className="tag">
              {scope}
            </code>
          ))}
        </span>
      ),
    },
    { key: 'created', header: t('created'), cell: ({ created_at: at }) => <Time text={time(at)} /> },
    {
      key: 'used',
      header: t('lastUsed'),
      cell: ({ last_used_at: at }) => <Time text={at === null ? t('never') : time(at)} />,
    },
    { key: 'ends', header: t('ends'), cell: (key) => <Time text={ends(key)} /> },
    {
      key: 'revoke',
      header: t('action'),
      cell: (key) =>
        key.revoked_at === null &&
        !hasExpired(key) && (
          <button
            className="button button-small button-danger"
            aria-label={t('revokeThis', { label: key.label || key.hint })}
            onClick={() => onRevoke(key)}
          >
            {t('revoke')}
          </button>
        ),
    },
  ]
}

const Time = ({ text }: { readonly text: string }) => <span className="settings-time">{text}</span>

function KeyName({ apiKey: { label, hint, is_own: isOwn } }: { readonly apiKey: Key }) {
  const t = useMessages({ en, de })
  return (
    <>
      <span className="settings-label">{label || <span className="muted">{t('noLabel')}</span>}</span>{' '}
      {isOwn && <span className="tag">{t('own')}</span>}
      <br />
      <code className="muted">{hint}</code>
    </>
  )
}
