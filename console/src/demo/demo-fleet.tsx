// The demo fleet as the own account sees it: offered, being loaded, or there to be looked at and removed.
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api, read } from '../api/client.ts'
import { Loaded, ProblemNotice } from '../components/loading-and-error.tsx'
import { useFormat } from '../i18n/format.ts'
import { useMessages } from '../i18n/language.tsx'
import { useSession } from '../session/session.tsx'
import { useFleet, useLoading, useLook, useRemoval, type Fleet } from './fleet.ts'
import de from './messages.de.json'
import en from './messages.en.json'
import { RemoveQuestion } from './remove-question.tsx'
import './demo.css'

/** For a page that has nothing to show yet: the demo fleet where the account has no orders, else nothing. */
export function DemoOffer() {
  const { may, is_demo: isDemo } = useSession()
  const isAsked = may('admin') && !isDemo
  const orders = useQuery({
    queryKey: ['any-order'],
    enabled: isAsked,
    queryFn: ({ signal }) => read(api.GET('/api/customer-orders', { params: { query: { limit: 1 } }, signal })),
  })
  return isAsked && orders.data?.length === 0 ? <DemoFleet /> : null
}

export function DemoFleet() {
  const t = useMessages({ en, de })
  const fleet = useFleet()
  const loading = useLoading()
  return (
    <section className="card demo-fleet" aria-labelledby="demo-fleet">
      <h2 id="demo-fleet">{t('title')}</h2>
      <Loaded query={fleet}>
        {(data) =>
          data === null ? (
            <Offer loading={loading} />
          ) : data.loaded_at === null ? (
            <Progress fleet={data} loading={loading} />
          ) : (
            <There fleet={data} begunWith={loading.data?.key ?? null} />
          )
        }
      </Loaded>
    </section>
  )
}

type LoadingProps = { readonly loading: ReturnType<typeof useLoading> }

function Offer({ loading: { mutate, isPending, error } }: LoadingProps) {
  const t = useMessages({ en, de })
  return (
    <div>
      <p className="lead">{t('offer')}</p>
      <button className="button button-primary" disabled={isPending} onClick={() => mutate()}>
        {t('load')}
      </button>
      {error && <ProblemNotice problem={error} />}
    </div>
  )
}

/** Longer than a busy machine takes for one step of it. */
const STANDS_STILL_MS = 15_000

/** What nobody is loading any more, as after a stop of the service, is gone on with by hand. */
function Progress({
  fleet,
  loading: { mutate, data: begun, isPending, error },
}: LoadingProps & { readonly fleet: Fleet }) {
  const t = useMessages({ en, de })
  const { percent } = useFormat()
  const [standsStill, setStandsStill] = useState(begun === undefined)
  const { progress: share, orders, events } = fleet
  useEffect(() => {
    if (begun === undefined) return
    setStandsStill(false)
    const waiting = setTimeout(() => setStandsStill(true), STANDS_STILL_MS)
    return () => clearTimeout(waiting)
  }, [share, begun])
  return (
    <div>
      <p role="status">{t('loading', { percent: percent(share) })}</p>
      <progress value={share} max={1} aria-label={t('progress')} />
      <p className="muted">{t('soFar', { orders, events })}</p>
      {standsStill && (
        <button className="button" disabled={isPending} onClick={() => mutate()}>
          {t('goOn')}
        </button>
      )}
      {error && <ProblemNotice problem={error} />}
    </div>
  )
}

/** @param begunWith the key of a load that this page began, which leads in by itself; else null */
function There({ fleet, begunWith }: { readonly fleet: Fleet; readonly begunWith: string | null }) {
  const t = useMessages({ en, de })
  const [isAsking, setAsking] = useState(false)
  const look = useLook()
  const removal = useRemoval()
  useEffect(() => {
    if (begunWith !== null) look.mutate(begunWith)
  }, [begunWith])
  const { orders, devices, events } = fleet
  return (
    <div>
      <p className="lead">{t('there', { orders, devices, events })}</p>
      <div className="row">
        <button className="button button-primary" disabled={look.isPending} onClick={() => look.mutate(null)}>
          {t(look.isPending ? 'entering' : 'look')}
        </button>
        <button className="button button-danger" disabled={removal.isPending} onClick={() => setAsking(true)}>
          {t(removal.isPending ? 'removing' : 'remove')}
        </button>
      </div>
      {look.error && <ProblemNotice problem={look.error} />}
      <RemoveQuestion
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onRemove={() => {
          setAsking(false)
          removal.mutate()
        }}
      />
    </div>
  )
}
