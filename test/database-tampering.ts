// What somebody may do to a database behind the program's back: statements that change one row, and what must be told.

export interface Tampering {
  readonly name: string
  /** Changes one row. */
  readonly statement: string
  /** What one of the differences must say. */
  readonly told: RegExp
}

/** One row of a table, the same in every run: rows lie on the disk where there was room for them. */
const one = (table: string, which: string): string =>
  `ctid = (select ctid from ${table} where ${which} order by ${table}::text limit 1)`
const set = (table: string, change: string, which = 'true'): string =>
  `update ${table} set ${change} where ${one(table, which)}`
const remove = (table: string, which = 'true'): string => `delete from ${table} where ${one(table, which)}`
const json = (change: string, column = 'items'): string => `${column} = (${column}::jsonb ${change})::text`

/** The first member of a list, which stands before the first control character. */
const firstOf = (list: string): string => `split_part(${list}, chr(31), 1)`
const setFirst = (list: string, member: string): string =>
  `${list} = ${member} || substr(${list}, length(${firstOf(list)}) + 1)`

const HAS_LINES = `line_emissions_mg <> ''`
const HAS_PRODUCT = `items like '%"s":%'`
const FIRST = `entry_no = 1 and serial_number <> ''`
const HAS_NO_LATER = `not exists (select from entries later
  where later.account_id = entries.account_id and later.serial_number = entries.serial_number
  and later.entry_no > entries.entry_no)`
const LAST_OF_SOME = `entry_no > 1 and ${HAS_NO_LATER}`

type Row = readonly [name: string, statement: string, told: RegExp]

const ROWS: readonly Row[] = [
  ...(['embodied_mg', 'use_mg'] as const).flatMap((column) =>
    (['order', 'extension', 'early_return', 'late_return', 'overlap', 'resequenced', 'swapped_in'] as const).map(
      (reason) =>
        [
          `one milligram more in ${column} of an entry by ${reason}`,
          set('entries', `${column} = ${column} + 1`, `reason = '${reason}' and serial_number <> ''`),
          new RegExp(`device ".+": entry \\d+ ${column}: found -?\\d+, expected -?\\d+`),
        ] as const,
    ),
  ),
  ...(['packaging_mg', 'transportation_mg'] as const).flatMap((column) =>
    ([`reason = 'order' and serial_number <> ''`, `reason = 'cancelled'`, `serial_number = ''`] as const).map(
      (which) =>
        [
          `one milligram less in ${column} of an entry where ${which}`,
          set('entries', `${column} = ${column} - 1`, which),
          new RegExp(`order ".+" of ".+": .*entry \\d+ ${column}: found`),
        ] as const,
    ),
  ),
  ['a correction that carries packaging', set('entries', 'packaging_mg = 1', `reason = 'overlap'`), /packaging_mg/],
  [
    'a line of an order',
    set('orders', setFirst('line_emissions_mg', `${firstOf('line_emissions_mg')}::bigint + 1`), HAS_LINES),
    /order ".+": line_emissions_mg: found/,
  ],
  [
    'a line too many',
    set('orders', `line_emissions_mg = line_emissions_mg || chr(31) || '0'`, HAS_LINES),
    /line_emissions_mg/,
  ],
  [
    'a line that is no number',
    set('orders', setFirst('line_emissions_mg', `'null'`), HAS_LINES),
    /line_emissions_mg: found null/,
  ],
  [
    'what was put into a device',
    set('entries', 'embodied_added_mg = embodied_added_mg - 1', FIRST),
    /device ".+": embodied_total_mg: found \d+, expected/,
  ],
  [
    'the footprint of a device',
    set('entries', `footprint_id = 'type:tablet'`, `footprint_id <> 'type:tablet'`),
    /footprint_id: found/,
  ],
  [
    'a basis that no release has',
    set('entries', `footprint_id = 'none'`, FIRST),
    /the whole: found .*device model "none"/,
  ],
  [
    'a weight',
    set('entries', `weight_kg = weight_kg || '1'`, `weight_kg is not null`),
    /device ".+": .*(weight|embodied_total)/,
  ],
  ['the release of a device', set('entries', 'device_release_id = 3 - device_release_id', FIRST), /release_id: found/],
  ['an order for a release that is not there', set('orders', 'release_id = 9'), /no dataset release 9/],
  ['the release of an order', set('orders', 'release_id = 3 - release_id', HAS_PRODUCT), /order .*release_id: found/],
  [
    'the bases of an order',
    set('orders', setFirst('footprint_ids', `'weight'`), `${firstOf('footprint_ids')} not in ('weight', '')`),
    /order ".+": (footprint_ids|match_methods): found/,
  ],
  [
    'how a product was found',
    set('orders', setFirst('match_methods', `'name'`), `${firstOf('match_methods')} not in ('name', '')`),
    /order ".+": match_methods: found/,
  ],
  [
    'a mapping that never was',
    set('orders', setFirst('match_methods', `'mapping:none'`), HAS_PRODUCT),
    /match_methods: found mapping/,
  ],
  [
    'the product that a guess was made of',
    set('entries', `product_id = product_id || 'x'`, 'product_id is not null'),
    /device ".+" product_id: found/,
  ],
  [
    'the guess of a device',
    set('entries', `match_method = 'name'`, `match_method <> 'name'`),
    /device ".+" match_method: found/,
  ],
  ['the items of an order', set('orders', json(`- 0`), HAS_PRODUCT), /order ".+"/],
  ['a tenure', set('orders', `items = replace(items, '"t":', '"t":1')`, HAS_PRODUCT), /months/],
  [
    'a member that items do not have',
    set('orders', `items = replace(items, '"t":', '"z":1,"t":')`, HAS_PRODUCT),
    /order ".+": items: .* kept as "z"/,
  ],
  ['items that are no JSON', set('orders', `items = '['`), /order ".+": items/],
  ['a country', set('orders', `country = 'SE'`, `country <> 'SE' and ${HAS_PRODUCT}`), /country: found/],
  ['a tenure start', set('orders', 'tenure_start_date = tenure_start_date + 1', HAS_PRODUCT), /start_date: found/],
  ['the status of a usual order', set('orders', `status = 'returned'`, `status = 'created'`), /status: found returned/],
  [
    'the status of an amended order',
    set('orders', `status = 'created'`, `status = 'amended'`),
    /status: found created/,
  ],
  [
    'the status of a cancelled order',
    set('orders', `status = 'amended'`, `status = 'cancelled'`),
    /status: found amend/,
  ],
  ['an order that is gone', remove('orders', HAS_PRODUCT), /entry .*order ".+".*: its order/],
  [
    'a device that is gone',
    set('entries', 'device_release_id = null, footprint_id = null', FIRST),
    /device ".+": device: found nothing/,
  ],
  ['an entry that is gone, the only one', remove('entries', `entry_no = 1 and reason = 'order'`), /entry/],
  ['an entry that is gone, the last of several', remove('entries', LAST_OF_SOME), /found nothing|mg/],
  [
    'an entry that is gone, of an order alone',
    remove('entries', `serial_number = '' and reason = 'order'`),
    /order ".+": entry \d/,
  ],
  [
    // The only one of its device: taken out of a long ledger, more would differ than is told.
    'an entry for another device',
    set('entries', `serial_number = 'nobody''s'`, `reason = 'order' and ${FIRST} and ${HAS_NO_LATER}`),
    /nobody's/,
  ],
  [
    'a device that an order does not have',
    `insert into entries (account_id, entry_no, posted_at, embodied_mg, use_mg, packaging_mg, transportation_mg,
       embodied_added_mg, release_id, device_release_id, start_date, end_date, is_capped, serial_number, customer_id,
       order_id, reason, months, footprint_id)
     select account_id, 1, now(), 0, 0, 0, 0, 1, release_id, release_id, tenure_start_date, tenure_start_date, true,
       'made', customer_id, order_id, 'order', '0', 'weight' from orders where ${one('orders', 'true')}`,
    /device "made"/,
  ],
  ['a reason', set('entries', `reason = 'overlap'`, `reason = 'resequenced'`), /entry \d+ reason: found overlap/],
  ['a cause', set('entries', `cause_order_id = 'other'`, 'cause_order_id is not null'), /entry \d+ cause: found/],
  ['the months of a return', set('entries', `months = '1/7'`, `reason = 'early_return'`), /months: found 1\/7/],
  ['the day of a return', set('entries', 'end_date = end_date + 1', `reason = 'late_return'`), /end_date: found/],
  ['a number in a ledger', set('entries', 'entry_no = 99', FIRST), /entry 99/],
  ...['returned', 'cancelled', 'swapped', 'refurbished', 'retired'].map((type): Row => {
    const other = type === 'retired' ? 'lost' : type === 'refurbished' ? 'retired' : 'extended'
    const which = `content like '%"type":"${type}"%'`
    return [
      `the type of an event, ${type}`,
      set('events', `content = replace(content, '"${type}"', '"${other}"')`, which),
      /./,
    ]
  }),
  [
    'a day of an event',
    set('events', json(`|| '{"date":"2031-01-01"}'`, 'content'), `content like '%"returned"%'`),
    /_date|end/,
  ],
  [
    'the months of an extension',
    set('events', json(`|| '{"tenure_months":1199}'`, 'content'), `content like '%"extended"%'`),
    /months|end_date/,
  ],
  [
    'a refurbishment',
    set(
      'events',
      json(`|| '{"emission_kg":31}'`, 'content'),
      // A withdrawn one counts for nothing.
      `content like '%"refurbished"%' and event_id || '-withdrawn' not in (select event_id from events)`,
    ),
    /embodied_total_mg|embodied_mg/,
  ],
  [
    'the device that a swap brought',
    set('events', json(`|| '{"new_serial_number":"made"}'`, 'content'), `content like '%"swapped"%'`),
    /"made"/,
  ],
  [
    'whether goods were under way',
    set(
      'events',
      `content = replace(content, '"dispatched":false', '"dispatched":true')`,
      `content like '%"dispatched":false%' and event_id in (
        select event_id from entries where reason = 'cancelled' and transportation_mg < 0)`,
    ),
    /transportation_mg/,
  ],
  ['an event of an order that is gone', remove('events', 'order_id is not null'), /without an event/],
  ['an event of a device that is gone', remove('events', 'order_id is null'), /event ".+" of entry/],
  [
    'an event of nothing',
    `insert into events (account_id, posted_at, event_id, serial_number, content)
      select account_id, now(), 'made', 'made', '{}' from accounts limit 1`,
    /"made".*its entry/,
  ],
  ['a release', set('dataset_releases', `content_hash = decode(repeat('00', 32), 'hex')`), /release ".+" content_hash/],
]

export const TAMPERINGS: readonly Tampering[] = ROWS.map(([name, statement, told]) => ({ name, statement, told }))
