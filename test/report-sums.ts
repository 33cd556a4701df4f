// What a report comes to, summed by SQL from the entries alone: the same rules, written down a second time.
import type { Pool } from 'pg'

export interface AskedSums {
  readonly accountId: number
  readonly basis: 'order' | 'dispatch' | 'tenure'
  /** Expressions over `lines`: `month`, `customer`, `device`, `part`, … */
  readonly groupBy: readonly string[]
  /** A condition over `lines`. */
  readonly where?: string
  readonly from?: string
  readonly to?: string
  /** In the months that entries concern, whether these were closed or not when they were posted. */
  readonly asConcerned?: boolean
}

export interface SummedGroup {
  readonly labels: readonly (string | null)[]
  readonly milligrams: bigint
}

/** How much of milligrams lies before a day of a rental, by METHODOLOGY.md#reporting-periods, halves away from 0. */
const FUNCTIONS = `
  create function pg_temp.month_no(day date) returns bigint language sql immutable
    return 12 * extract(year from day)::bigint + extract(month from day)::bigint - 1;
  create function pg_temp.days_in(day date) returns bigint language sql immutable
    return extract(day from date_trunc('month', day) + interval '1 month - 1 day')::bigint;
  create function pg_temp.before(mg bigint, start date, months text, day date) returns numeric
  language plpgsql immutable
  as $$
  declare
    p numeric := split_part(months, '/', 1)::numeric;
    q numeric := coalesce(nullif(split_part(months, '/', 2), ''), '1')::numeric;
    a numeric := pg_temp.days_in(start);
    b numeric := pg_temp.days_in(day);
    away numeric := (pg_temp.month_no(day) - pg_temp.month_no(start)) * a * b
      + (extract(day from day) - 1) * a - (extract(day from start) - 1) * b;
    over numeric := away * q;
    under numeric := a * b * p;
  begin
    if p = 0 then return case when day > start then mg else 0 end; end if;
    if over <= 0 then return 0; end if;
    if over >= under then return mg; end if;
    return sign(mg::numeric) * div(2 * abs(mg::numeric) * over + under, 2 * under);
  end $$;
  create function pg_temp.months_between(start date, day date) returns text language sql immutable
    return ((pg_temp.month_no(day) - pg_temp.month_no(start)) * pg_temp.days_in(start) * pg_temp.days_in(day)
      + (extract(day from day)::bigint - 1) * pg_temp.days_in(start)
      - (extract(day from start)::bigint - 1) * pg_temp.days_in(day))
      || '/' || pg_temp.days_in(start) * pg_temp.days_in(day);
  create function pg_temp.number(months text) returns numeric language sql immutable
    return split_part(months, '/', 1)::numeric / coalesce(nullif(split_part(months, '/', 2), ''), '1')::numeric;`

/** With what was posted to a rental before, and over how many months that, and all with this entry, is spread. */
const ENTRIES = `
  select own.*, order_date, tenure_start_date, orders.metadata::jsonb as told,
    devices.footprint_id as device_footprint, orders.country as order_country,
    first_value(own.country) over rental as used_in,
    first_value(own.start_date) over rental as begins,
    embodied_mg as embodied_own, sum(embodied_mg) over rental - embodied_mg as embodied_before,
    use_mg as use_own, sum(use_mg) over rental - use_mg as use_before,
    lag(spread_over) over rental as spread_before
  from (
    select entries.*, case
        when serial_number = '' then months
        when ended_on is null or pg_temp.number(agreed.agreed_months)
          <= pg_temp.number(pg_temp.months_between(agreed.agreed_start, ended_on)) then agreed.agreed_months
        else pg_temp.months_between(agreed.agreed_start, ended_on)
      end as spread_over
    from entries left join lateral (
      select start_date as agreed_start, end_date as agreed_end, months as agreed_months from entries as before
      where before.account_id = entries.account_id and before.serial_number = entries.serial_number
        and before.customer_id = entries.customer_id and before.order_id = entries.order_id
        and before.entry_no <= entries.entry_no and before.months is not null
      order by before.entry_no desc limit 1
    ) as agreed on entries.serial_number <> '' left join lateral (
      select min(day) as ended_on from (
        select last.start_date as day from (
          select distinct on (customer_id, order_id) other.* from entries as other
          where other.account_id = entries.account_id and other.serial_number = entries.serial_number
            and other.entry_no <= entries.entry_no and other.months is not null
          order by customer_id, order_id, entry_no desc
        ) as last
        where last.end_date > last.start_date and last.start_date < agreed_end
          and (last.start_date, split_part(last.order_id, chr(31), 1), last.customer_id, last.order_id)
            > (agreed_start, split_part(entries.order_id, chr(31), 1), entries.customer_id, entries.order_id)
        union all
        select (content::json ->> 'date')::date from entries as other join events using (account_id, event_id)
        where other.account_id = entries.account_id and other.serial_number = entries.serial_number
          and other.order_id = '' and other.entry_no <= entries.entry_no
          and (content::json ->> 'date')::date > agreed_start and (content::json ->> 'date')::date < agreed_end
          and not exists (
            select from entries as withdrawal join events as told using (account_id, event_id)
            where withdrawal.account_id = entries.account_id and withdrawal.serial_number = entries.serial_number
              and withdrawal.order_id = '' and withdrawal.entry_no <= entries.entry_no
              and told.content::json ->> 'withdraws' = other.event_id
          )
      ) as days
    ) as ended on true
    where entries.account_id = $1 and entries.order_id <> ''
  ) as own join orders using (account_id, customer_id, order_id)
    left join devices on devices.account_id = own.account_id and devices.serial_number = own.serial_number
      and own.serial_number <> ''
  window rental as (partition by own.serial_number, own.customer_id, own.order_id order by entry_no)`

const partsOf = (day: string, parts: readonly (readonly [string, string])[]) =>
  parts.map(([part, column]) => `select '${part}' as part, ${column} as mg, ${day} as day, e.* from e`)

const OWN = [
  ['product_embodied_emission', 'embodied_mg'],
  ['product_use', 'use_mg'],
] as const
const SHARED = [
  ['packaging', 'packaging_mg'],
  ['transportation', 'transportation_mg'],
] as const

/** Of an entry, what it changes before a day: nothing before it counts. Books that were reopened are not in it. */
const before = (own: string, day: string) => `(case
    when ${day} <= counts_from then 0
    else pg_temp.before((${own}_before + ${own}_own)::bigint, begins, spread_over, ${day})
      - pg_temp.before(${own}_before::bigint, begins, coalesce(spread_before, spread_over), ${day})
  end)`

/** Cut at every month there is: the sums of its months are what lies between two of them. */
const spread = (from: string, to: string) =>
  OWN.map(([part, column]) => {
    const own = column.replace('_mg', '')
    const [first, end] = [
      `greatest(month_from, '${from}'::date)`,
      `least(month_from + interval '1 month', '${to}'::date + 1)::date`,
    ]
    return `select '${part}', (${before(own, end)} - ${before(own, first)})::bigint, ${first}, e.*
    from e cross join lateral (
      select month_from::date from generate_series(
        date_trunc('month', least(begins, counts_from)::timestamp),
        greatest(counts_from, date_trunc('month', begins::timestamp) + (1 + ceil(greatest(
          pg_temp.number(spread_over), pg_temp.number(coalesce(spread_before, '0'))))::integer) * interval '1 month'),
        interval '1 month') as month_from
    ) as cut
    where serial_number <> '' and month_from + interval '1 month' > '${from}' and month_from <= '${to}'`
  })

function linesOf({ basis, from = '0001-01-01', to = '9999-12-01' }: AskedSums): string {
  if (basis === 'order') return partsOf('order_date', [...OWN, ...SHARED]).join(' union all ')
  if (basis === 'dispatch') return partsOf('tenure_start_date', [...OWN, ...SHARED]).join(' union all ')
  return [...partsOf('greatest(tenure_start_date, counts_from)', SHARED), ...spread(from, to)].join(' union all ')
}

/** The groups by their labels, those of nothing left out. */
export async function sumsInSql(pool: Pool, asked: AskedSums): Promise<readonly SummedGroup[]> {
  const { groupBy, where = 'true', asConcerned = false, from = '0001-01-01', to = '9999-12-31' } = asked
  const connection = await pool.connect()
  try {
    await connection.query('begin')
    await connection.query(FUNCTIONS)
    const lines = linesOf(asked)
    const labels = groupBy.map((name, at) => `${name} as label_${at}`).join(', ')
    const places = groupBy.map((_, at) => `label_${at}`).join(', ')
    const { rows } = await connection.query<Record<string, string | bigint | null>>(
      `with e as materialized (${ENTRIES}), lines as (
        select part, mg, day, customer_id as customer, serial_number as device, device_footprint as model,
          case when serial_number = '' then order_country else used_in end as country, told,
          to_char(counts_from, 'YYYY') as open_year,
          case when cause_customer_id <> customer_id then null else event_id end as own_event,
          to_char(day, 'YYYY-MM') as month, to_char(day, 'YYYY') as year, to_char(day, 'YYYY-"Q"Q') as quarter
        from (${asConcerned ? lines.replaceAll('counts_from', 'null::date') : lines}) as parts (part, mg, day)
        where day between '${from}' and '${to}' 
      )
      select ${labels}${labels && ', '} sum(mg)::bigint as milligrams from lines where ${where}
      ${places && `group by ${places}`} having sum(mg) <> 0`,
      [asked.accountId],
    )
    return rows.map((row) => ({
      labels: groupBy.map((_, at) => row[`label_${at}`] as string | null),
      milligrams: row['milligrams'] as bigint,
    }))
  } finally {
    await connection.query('rollback')
    connection.release()
  }
}
