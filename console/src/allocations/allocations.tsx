// A device under other allocation methods, read from the API only when someone asks for it.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, read } from '../api/client.ts'
import { FilterBar, TextFilter } from '../components/filter-bar.tsx'
import { Loaded } from '../components/loading-and-error.tsx'
import { KG } from '../emissions/kilograms.ts'
import { useMessages } from '../i18n/language.tsx'
import { AllocationTable } from './allocation-table.tsx'
import de from './messages.de.json'
import en from './messages.en.json'

export interface AllocationsProps {
  readonly serial: string
  /** As the API takes it; undefined for now. */
  readonly knownAt: string | undefined
}

export function Allocations(device: AllocationsProps) {
  const t = useMessages({ en, de })
  const [isShown, setShown] = useState(false)
  return (
    <section className="section" aria-labelledby="allocations">
      <div>
        <h2 id="allocations">{t('heading')}</h2>
        <p className="muted">{t('lead', { unit: KG })}</p>
      </div>
      {isShown ? (
        <Comparison {...device} />
      ) : (
        <div>
          <button className="button" onClick={() => setShown(true)}>
            {t('show')}
          </button>
        </div>
      )}
    </section>
  )
}

function Comparison({ serial, knownAt }: AllocationsProps) {
  const t = useMessages({ en, de })
  const [sent, setSent] = useState('')
  const values = sent.split(/[,;\s]+/).filter((value) => value !== '')
  const allocations = useQuery({
    queryKey: ['allocations', serial, knownAt, values],
    queryFn: ({ signal }) => readAllocations(serial, knownAt, values, signal),
  })
  return (
    <>
      <FilterBar onClear={sent === '' ? null : () => setSent('')}>
        <TextFilter label={t('values')} value={sent} placeholder="1500, 450" onChange={setSent} />
      </FilterBar>
      <p className="muted">{t('valuesHelp')}</p>
      <Loaded query={allocations}>
        {({ allocations: methods = [] }) => <AllocationTable serial={serial} methods={methods} />}
      </Loaded>
    </>
  )
}

const readAllocations = (id: string, knownAt: string | undefined, values: readonly string[], signal: AbortSignal) =>
  read(
    api.GET('/api/device-emissions/{id}', {
      params: {
        path: { id },
        query: {
          allocation: 'all',
          // What is no number is sent as well, because the API says what would be right.
          ...(values.length > 0 && { resale_values: values as unknown as number[] }),
          ...(knownAt !== undefined && { known_at: knownAt }),
        },
      },
      signal,
    }),
  )
