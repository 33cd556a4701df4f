// Which orders and events are stored, held against what they were answered.
import type { Pool } from 'pg'

/** How often each of these orders and events is stored; without those that are not. */
export async function countStored(pool: Pool, names: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const { rows } = await pool.query<{ readonly name: string; readonly count: number }>(
    `select name, count(*)::int as count from (
      select order_id as name from orders where order_id = any($1)
      union all select event_id from events where event_id = any($1)
      union all select content::json ->> 'reason' from events
        where content like '%"corrected"%' and content::json ->> 'reason' = any($1)) stored group by name`,
    [names],
  )
  return new Map(rows.map(({ name, count }) => [name, count]))
}

/** What is not as it was answered, each in a sentence. */
export async function compareStored(
  pool: Pool,
  acknowledged: Iterable<string>,
  refused: Iterable<string>,
): Promise<readonly string[]> {
  const [expected, unwanted] = [[...acknowledged], [...refused]]
  const stored = await countStored(pool, [...expected, ...unwanted])
  return [
    ...expected
      .filter((name) => stored.get(name) !== 1)
      .map((name) => `${name} was acknowledged, and is stored ${stored.get(name) ?? 0} times`),
    ...unwanted.filter((name) => stored.has(name)).map((name) => `${name} was refused, and is stored`),
  ]
}
