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
  end $$;`

const ENTRIES = `
  select entries.*, order_date, tenure_start_date, orders.metadata::jsonb as told, basis,
    orders.country as order_country,
    (posted_at at time zone 'UTC')::date as posted_on,
    entry_no = min(entry_no) over own as is_first,
    first_value(entries.country) over (own order by entry_no) as used_in
  from entries join orders using (account_id, customer_id, order_id)
    left join devices on devices.account_id = entries.account_id and devices.serial_number = entries.serial_number
      and entries.serial_number <> ''
  where entries.account_id = $1
  window own as (partition by entries.serial_number, entries.customer_id, entries.order_id)`

const partsOf = (day: string, parts: readonly (readonly [string, string])[], where = 'true') =>
  parts.map(([part, column]) => `select '${part}' as part, ${column} as mg, ${day} as day, e.* from e where ${where}`)

const OWN = [
  ['product_embodied_emission', 'embodied_mg'],
  ['product_use', 'use_mg'],
] as const
const SHARED = [
  ['packaging', 'packaging_mg'],
  ['transportation', 'transportation_mg'],
] as const

/** A rental is cut at every day there is: the sums of its days are what lies between two of them. */
const spread = (from: string, to: string) =>
  OWN.map(
    ([part, column]) => `select '${part}', (
        pg_temp.before(${column}, start_date, months,
          least(month_from + interval '1 month', '${to}'::date + 1)::date)
        - pg_temp.before(${column}, start_date, months, greatest(month_from, '${from}'::date)))::bigint,
      greatest(month_from, '${from}'::date), e.*
    from e cross join lateral (
      select month_from::date from generate_series(date_trunc('month', start_date::timestamp),
        date_trunc('month', start_date::timestamp) + ceil(split_part(months, '/', 1)::numeric
          / coalesce(nullif(split_part(months, '/', 2), ''), '1')::numeric)::integer * interval '1 month',
        interval '1 month') as month_from
    ) as cut
    where is_first and serial_number <> '' and month_from + interval '1 month' > '${from}' and month_from <= '${to}'`,
  )

function linesOf({ basis, from = '0001-01-01', to = '9999-12-01' }: AskedSums): string {
  if (basis === 'order') return partsOf('order_date', [...OWN, ...SHARED]).join(' union all ')
  if (basis === 'dispatch') return partsOf('tenure_start_date', [...OWN, ...SHARED]).join(' union all ')
  return [
    ...partsOf('tenure_start_date', SHARED, 'is_first'),
    ...partsOf('posted_on', [...OWN, ...SHARED], 'not is_first'),
    ...spread(from, to),
  ].join(' union all ')
}

/** The groups by their labels, those of nothing left out. */
export async function sumsInSql(pool: Pool, asked: AskedSums): Promise<readonly SummedGroup[]> {
  const { groupBy, where = 'true', from = '0001-01-01', to = '9999-12-31' } = asked
  const connection = await pool.connect()
  try {
    await connection.query('begin')
    await connection.query(FUNCTIONS)
    const labels = groupBy.map((name, at) => `${name} as label_${at}`).join(', ')
    const places = groupBy.map((_, at) => `label_${at}`).join(', ')
    const { rows } = await connection.query<Record<string, string | bigint | null>>(
      `with e as materialized (${ENTRIES}), lines as (
        select part, mg, day, customer_id as customer, serial_number as device, basis as model,
          case when serial_number = '' then order_country else used_in end as country, told,
          to_char(day, 'YYYY-MM') as month, to_char(day, 'YYYY') as year, to_char(day, 'YYYY-"Q"Q') as quarter
        from (${linesOf(asked)}) as parts (part, mg, day)
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
