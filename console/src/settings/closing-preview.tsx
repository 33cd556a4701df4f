// What closing the books until a day would make final, asked for before they are closed.
import { useQuery } from '@tanstack/react-query'
import { api, read, type Schemas } from '../api/client.ts'
import { DataTable, type Column } from '../components/data-table.tsx'
import { Figure } from '../components/figure.tsx'
import { Loaded } from '../components/loading-and-error.tsx'
import { useLocalPages } from '../components/local-pages.ts'
import { KG } from '../emissions/kilograms.ts'
import { useFormat } from '../i18n/format.ts'
import { useMessages } from '../i18n/language.tsx'
import de from './messages.de.json'
import en from './messages.en.json'

type Preview = Schemas['ClosingPreview']
type CustomerYear = Preview['customer_years'][number]
type Rental = NonNullable<Preview['overdue_rentals']>[number]

const PAGE_ROWS = 5

/** @param until the first open day after the closing, YYYY-MM-DD */
export function ClosingPreview({ until }: { readonly until: string }) {
  const t = useMessages({ en, de })
  const preview = useQuery({
    queryKey: ['closing-preview', until],
    queryFn: async () => {
      const body = { closed_until: until }
      return (await read(api.POST('/api/periods', { params: { query: { preview: true } }, body }))) as Preview
    },
    gcTime: 0,
    retry: false,
  })
  return (
    <Loaded query={preview}>
      {(data) => (
        <>
          <p>
            <strong>{t('becomesFinal')}</strong> <Figure value={data.total_emission} unit={KG} showsUnit />
          </p>
          <Years years={data.customer_years} count={data.number_of_customer_years} />
          {data.overdue_rentals === null && <p className="muted">{t('overdueUnknown')}</p>}
          {data.overdue_rentals && data.overdue_rentals.length > 0 && (
            <Overdue rentals={data.overdue_rentals} hasMore={data.has_more_overdue_rentals === true} />
          )}
        </>
      )}
    </Loaded>
  )
}

function Years({ years, count }: { readonly years: readonly CustomerYear[]; readonly count: number }) {
  const t = useMessages({ en, de })
  const [shown, paging] = useLocalPages(years, PAGE_ROWS)
  const columns: readonly Column<CustomerYear>[] = [
    { key: 'customer', header: t('customer'), isName: true, cell: ({ customer_id: customer }) => customer },
    {
      key: 'year',
      header: t('year'),
      cell: ({ year, is_complete: isComplete }) => (isComplete ? year : t('partOfYear', { year })),
    },
    {
      key: 'emission',
      header: KG,
      isNumber: true,
      cell: ({ total_emission: total }) => <Figure value={total} unit={KG} />,
    },
  ]
  if (years.length === 0) return <p className="muted">{t('noYearFinal')}</p>
  const title = t('customerYears', { count })
  return (
    <DataTable
      caption={title}
      columns={columns}
      rows={shown}
      keyOf={({ customer_id: customer, year }) => `${year} ${customer}`}
      paging={paging}
    />
  )
}

function Overdue({ rentals, hasMore }: { readonly rentals: readonly Rental[]; readonly hasMore: boolean }) {
  const t = useMessages({ en, de })
  const { day } = useFormat()
  const [shown, paging] = useLocalPages(rentals, PAGE_ROWS)
  const columns: readonly Column<Rental>[] = [
    { key: 'device', header: t('device'), isName: true, cell: ({ serial_number: serial }) => serial },
    { key: 'order', header: t('order'), cell: ({ order_id: order }) => order },
    { key: 'customer', header: t('customer'), cell: ({ customer_id: customer }) => customer },
    { key: 'end', header: t('agreedEnd'), cell: ({ agreed_end: end }) => day(end) },
  ]
  return (
    <>
      <p className="note">
        {t('overdueHelp')} {hasMore && t('overdueMore', { count: rentals.length })}
      </p>
      <DataTable
        caption={t('overdue')}
        columns={columns}
        rows={shown}
        keyOf={({ serial_number: serial, customer_id: customer, order_id: order }) =>
          JSON.stringify([serial, customer, order])
        }
        paging={paging}
      />
    </>
  )
}
