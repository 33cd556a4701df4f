// The OAuth clients with which customers read their product footprints by PACT.
import { useState } from 'react'
import { DataTable, type Column } from '../components/data-table.tsx'
import { Empty, Loaded, ProblemNotice } from '../components/loading-and-error.tsx'
import { QuestionDialog } from '../components/question-dialog.tsx'
import { useToast } from '../components/toast.tsx'
import { useFormat } from '../i18n/format.ts'
import { useMessages } from '../i18n/language.tsx'
import { CreateClient } from './create-client.tsx'
import de from './messages.de.json'
import en from './messages.en.json'
import { usePactClients, useRevoking, type PactClient } from './use-pact-clients.ts'
import './pact-clients.css'

export function PactClients() {
  const t = useMessages({ en, de })
  const clients = usePactClients()
  const columns = useColumns()
  const [isCreating, setCreating] = useState(false)
  return (
    <section className="section" aria-label={t('clients')}>
      <div className="pact-top">
        <button className="button button-primary" onClick={() => setCreating(true)}>
          {t('add')}
        </button>
      </div>
      <Loaded query={clients}>
        {(all) =>
          all.length === 0 ? (
            <Empty title={t('none')}>
              <p>{t('noneHelp')}</p>
            </Empty>
          ) : (
            <DataTable caption={t('clients')} columns={columns} rows={all} keyOf={({ client_id: id }) => id} />
          )
        }
      </Loaded>
      {isCreating && <CreateClient onClose={() => setCreating(false)} />}
    </section>
  )
}

function useColumns(): readonly Column<PactClient>[] {
  const t = useMessages({ en, de })
  const { time } = useFormat()
  return [
    {
      key: 'label',
      header: t('label'),
      isName: true,
      cell: ({ label, client_id: id }) => (
        <span className="pact-name">
          {label}
          <br />
          <code className="muted">{id}</code>
        </span>
      ),
    },
    {
      key: 'customer',
      header: t('customer'),
      cell: ({ customer_id: id }) => <span className="pact-text">{id}</span>,
    },
    {
      key: 'events',
      header: t('eventsTo'),
      cell: ({ events_url: url }) => <span className="pact-text">{url ?? t('noEvents')}</span>,
    },
    { key: 'created', header: t('created'), cell: ({ created_at: at }) => <Time text={time(at)} /> },
    {
      key: 'state',
      header: t('state'),
      cell: ({ revoked_at: at }) => <Time text={at === null ? t('active') : t('revokedAt', { time: time(at) })} />,
    },
    {
      key: 'action',
      header: t('action'),
      cell: (client) => client.revoked_at === null && <Revoke client={client} />,
    },
  ]
}

const Time = ({ text }: { readonly text: string }) => <span className="pact-time">{text}</span>

function Revoke({ client }: { readonly client: PactClient }) {
  const t = useMessages({ en, de })
  const toast = useToast()
  const [isAsking, setAsking] = useState(false)
  const { label, client_id: id } = client
  const { mutate, isPending, error } = useRevoking(client, () => toast(t('revoked', { label })))
  return (
    <>
      <button
        className="button button-small button-danger"
        aria-label={t('revokeThis', { label })}
        onClick={() => setAsking(true)}
      >
        {t('revoke')}
      </button>
      <QuestionDialog
        title={t('revokeQuestion', { label })}
        answer={t('revoke')}
        isDisabled={isPending}
        isOpen={isAsking}
        onAnswer={() => mutate()}
        onClose={() => setAsking(false)}
      >
        <p>{t('revokeHelp', { id })}</p>
        {error && <ProblemNotice problem={error} />}
      </QuestionDialog>
    </>
  )
}
